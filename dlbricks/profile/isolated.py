"""Profiles networks and measures roofs in a process of its own, so that a crash or hang of the runtime is contained.

On a device it runs in the calling process, since a forked process cannot use a device that was used before.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dlbricks.errors import BenchmarkError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import system_facts
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.runtimes.onnxruntime import provider_name
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings
from dlbricks.process_pool import Crashed, Workers, send_message
from dlbricks.profile.experiment import ExperimentPlan, OnProgress, profile_network
from dlbricks.profile.roofs import measure_roofs
from dlbricks.profile.types import Profile, Roofs

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


def profile_isolated(path: Path, plan: ExperimentPlan, on_progress: OnProgress) -> Profile:
    """Profile a network, as ``profile_network``.

    Raises:
        BenchmarkError: the process crashed, or exceeded its limit of time or memory; other errors as
            ``profile_network``.
    """
    function = partial(_profile, plan)
    profile = _isolated(function, path, plan.settings, lambda message: on_progress(*message))
    if isinstance(profile, Crashed):
        raise BenchmarkError(f"{path.stem} cannot be profiled: it {profile.reason}")
    return profile


def _profile(plan: ExperimentPlan, path: Path) -> Profile:
    return profile_network(path, plan, lambda batch, message: send_message((batch, message)))


def roofs_isolated(settings: SessionSettings, facts: Mapping[str, Any] | None = None) -> Roofs:
    """Measure the roofs of a machine; see ``measure_roofs``.

    Raises:
        BenchmarkError: the runtime failed, crashed, or took too long.
        HarnessError: the provider is missing.
    """
    roofs = _isolated(partial(_roofs, settings), system_facts() if facts is None else facts, settings)
    if isinstance(roofs, Crashed):
        raise BenchmarkError(f"roofs of this machine cannot be measured: {settings.runtime} {roofs.reason}")
    return roofs


def _roofs(settings: SessionSettings, facts: Mapping[str, Any]) -> Roofs:
    try:
        return measure_roofs(settings, facts=facts)
    except HarnessError:
        raise
    except RUNTIME_ERRORS as error:
        reason = " ".join(str(error).split())
        raise BenchmarkError(f"roofs of this machine cannot be measured: {reason}") from error


def _isolated(
    function: Callable[[_Argument], _Result],
    argument: _Argument,
    settings: SessionSettings,
    on_message: Callable[[Any], None] = lambda _: None,
) -> _Result | Crashed[_Argument]:
    on_processor = provider_name(settings.provider) == provider_name("cpu")
    # CUDA maps more memory than it uses, so a process that uses a device has no limit
    most = None if on_processor else sys.maxsize // 2
    # threads of other runtimes, and what drivers read of the environment, belong to the process
    fresh = not on_processor or settings.runtime != ONNXRUNTIME
    with Workers(1, apart=on_processor, fresh=fresh, memory_bytes=most) as workers:
        (result,) = workers.each(function, [argument], lambda _: None, on_message)
    return result
