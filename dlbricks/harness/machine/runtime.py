"""Facts about the installed runtime for results, and the check that lowered networks fit it."""

from collections.abc import Mapping
from typing import Any

import onnxruntime

from ..errors import HarnessError
from ..options import ONNXRUNTIME
from ..session import (
    SessionSettings,
    device_number,
    explicit_options,
    explicit_provider_options,
    other_runtime,
    plugin_devices,
    provider_name,
    provider_names,
    short_name,
)
from .gpu import code_of


def runtime_facts(settings: SessionSettings) -> dict[str, Any]:
    """Return name, version and all options of the runtime, as a result records them."""
    if (other := other_runtime(settings)) is not None:
        return other.facts(settings)
    provider = provider_name(settings.provider)
    return {
        "name": "onnxruntime",
        "version": onnxruntime.__version__,
        "build": f"{onnxruntime.get_build_info()}{_own_version(provider)}",
        "provider": short_name(provider),
        "providers": provider_names(settings),
        "provider_options": explicit_provider_options(settings),
        "session_options": explicit_options(settings),
        "threads": settings.threads,
    }


def _own_version(name: str) -> str:
    """Return the version of a plugin provider's library; empty for a built-in provider."""
    devices = plugin_devices(name)
    return "".join(f"; {name} {one.ep_metadata.get('version', 'of no version')}" for one in devices)


def refuse_lowered_elsewhere(target: Mapping[str, Any], settings: SessionSettings, what: str) -> None:
    """Refuse to run lowered networks on another target than the one they were lowered for (``session.check_target``).

    Raises:
        HarnessError: another runtime version, provider or instruction set.
    """
    facts = runtime_facts(settings)
    remedy = "generate it there, or use a portable suite"
    own = f"{ONNXRUNTIME}-{facts['provider']}" if settings.runtime == ONNXRUNTIME else settings.runtime
    if target["name"] != own:
        raise HarnessError(f"{what} is made for {target['name']}, not for {own.removeprefix('onnxruntime-')}; {remedy}")
    if target["runtime"] != facts["version"]:
        made, here = target["runtime"], facts["version"]
        raise HarnessError(f"{what} was lowered by {facts['name']} {made}, here is {here}; {remedy}")
    if settings.runtime != ONNXRUNTIME and (asked := sorted(key for key, _ in settings.config)):
        said = f"{what} was lowered with the usual properties of {facts['name']}"
        raise HarnessError(f"{said}: leave {asked[0]} out, or use a portable suite")
    here = code_of(device_number(settings))
    if list(target["instruction_set"]) != here:
        differing = ", ".join(sorted(set(target["instruction_set"]) ^ set(here)))
        raise HarnessError(f"{what} was lowered for another processor (they differ in {differing}); {remedy}")
