"""How sessions are opened: their settings, the interface of runtimes, and what runs ask of any runtime.

A runtime is one module, ``runtimes/NAME.py``, with the functions of ``Backend``. Its sessions have some methods of
onnxruntime's sessions (docs/new-runtime.md). It is imported by its name, when it is first used.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from onnxruntime.capi import onnxruntime_pybind11_state as _state

from .errors import HarnessError
from .options import ONNXRUNTIME, RUNTIMES, RunOptions
from .runtimes import MODULES

# Exceptions raised when a network is loaded, bound or run; those of onnxruntime have no common base class.
RUNTIME_ERRORS: tuple[type[Exception], ...] = (
    HarnessError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
    *(value for value in vars(_state).values() if isinstance(value, type) and issubclass(value, Exception)),
)

# Time for which threads of a shared pool look out for work after a call, at most: they do for 34 to 40 ms. Meanwhile
# they take a core, or half of it, from calls of another process.
SPINNING_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """How the sessions of a run are opened."""

    threads: int = 1
    """Intra-op threads; there is always one inter-op thread."""
    provider: str = "cpu"
    """Execution provider: a short name as in ``cpu`` or ``cuda``, the runtime's name, or the path of a library."""
    provider_options: tuple[tuple[str, str], ...] = ()
    optimization: str = "all"
    """Graph optimisations: ``all`` or ``none``."""
    config: tuple[tuple[str, str], ...] = ()
    """Options of the session that a user sets, with keys that the runtime knows."""
    options: tuple[tuple[str, str | int | bool], ...] = ()
    """Options that every session sets, as the file of a benchmark lists them; empty for those of the runtime."""
    shared_pool: bool = False
    """Whether all sessions of the process share one thread pool."""
    runtime: str = ONNXRUNTIME
    """One of ``options.RUNTIMES``."""

    @property
    def sharing(self) -> int:
        """Number of threads that all sessions share; 1 if they share none."""
        return self.threads if self.shared_pool else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An open session and the device of its tensors."""

    inference: Any
    """An open network with the methods of onnxruntime's session that docs/new-runtime.md lists."""
    device: str = "cpu"
    """``cpu`` or ``cuda``."""
    device_id: int = 0
    placement: tuple[tuple[str, int], ...] = ()
    """Nodes per execution provider, if the runtime reports them; empty on the CPU provider."""
    constants: Sequence[tuple[str, Any]] = ()
    """Name and value of constants that the session reads in place; they must live as long as the session."""


class Backend(Protocol):
    """The module of a runtime."""

    OPTIONS_OF_THREADS: tuple[str, ...]
    """Options that follow from the number of threads, which is recorded by itself; the first one has the number."""
    RECORDED_OPTIONS: frozenset[str]
    """Options that every result has."""
    UNEXPLAINED_CONSTANT_SHARE: float
    """Share of a call's time that state ``weights_cold`` costs beyond what constants cost inside networks."""

    def usual_options(self, provider: str) -> dict[str, str | int | bool]:
        """Return the options of session and provider that do not depend on the threads, with their usual values."""

    def check(self, settings: SessionSettings) -> None:
        """Raise ``HarnessError`` if the runtime is not installed or does not have an option."""

    def check_suite_options(self, settings: SessionSettings, suite: str, *, portable: bool) -> None:
        """Raise ``HarnessError`` for options that do not go with networks that are portable, or lowered for it."""

    def facts(self, settings: SessionSettings) -> dict[str, Any]:
        """Return name, version and all options of the runtime, as a result records them."""

    def target(self, settings: SessionSettings) -> str:
        """Return the name of the target for which networks are lowered, as in ``onnxruntime-cpu``."""

    def shares_threads(self, settings: SessionSettings) -> bool:
        """Whether sessions of several threads can share them; raise ``HarnessError`` for too few threads."""

    def device_number(self, settings: SessionSettings) -> int | None:
        """Return the number of the accelerator; None for the CPU."""

    def prepare(self, settings: SessionSettings) -> None:
        """Load libraries and start shared threads; raise ``HarnessError`` if the device cannot be used."""

    def constants_in_place(self, network: bytes, weights: Path, settings: SessionSettings) -> Sequence[tuple[str, Any]]:
        """Return private copies of the constants that sessions read in place, for ``open_session``."""

    def open_session(
        self,
        network: Path | bytes,
        weights: Path,
        settings: SessionSettings,
        *,
        profile: Path | None = None,
        constants: Sequence[tuple[str, Any]] = (),
    ) -> Session:
        """Open a network; see ``open_session`` below."""

    def executed_layers(self, compiled: Any) -> Sequence[dict[str, str]]:
        """Return the layers executed in place of the network's own, with the element type of each (``dtype``).

        Empty if the runtime executes the network's own layers.
        """


def backend(settings: SessionSettings) -> Backend:
    """Return the module of a runtime; raises HarnessError if it is unknown."""
    if settings.runtime not in RUNTIMES:
        raise HarnessError(f"unknown runtime '{settings.runtime}': choose from {', '.join(RUNTIMES)}")
    return cast("Backend", importlib.import_module(MODULES[settings.runtime]))


def session_settings(options: RunOptions) -> SessionSettings:
    """Return the session settings of a run's options."""
    return SessionSettings(
        threads=options.threads,
        provider=options.provider,
        provider_options=options.provider_options,
        config=options.session_options,
        runtime=options.runtime,
    )


def check_settings(settings: SessionSettings) -> None:
    """Raise HarnessError for settings that the runtime would silently ignore."""
    if settings.threads < 1:
        raise HarnessError(f"--threads is {settings.threads}, it must be at least 1")
    backend(settings).check(settings)


def with_shared_pool(settings: SessionSettings) -> SessionSettings:
    """Make all sessions of the process share one thread pool if several threads compute on the CPU."""
    # A pool thread that waits for work spins for a while and then sleeps. Inside a network the next layer finds it
    # awake; with a shared pool another session can wake it before a benchmark is timed.
    return replace(settings, shared_pool=settings.threads > 1 and backend(settings).shares_threads(settings))


def open_session(
    network: Path | bytes,
    weights: Path,
    settings: SessionSettings,
    *,
    profile: Path | None = None,
    constants: Sequence[tuple[str, Any]] = (),
) -> Session:
    """Open the session of a file or its content, whose external weights lie in a folder.

    The runtime writes a profile if ``profile`` is its path's prefix. ``constants`` are name and value of those that the
    session reads in place (``Backend.constants_in_place``).

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: whatever the runtime raises for a network that it cannot load.
    """
    return backend(settings).open_session(network, weights, settings, profile=profile, constants=constants)


def check_target(target: Mapping[str, Any], settings: SessionSettings, what: str) -> None:
    """Raise HarnessError if networks were lowered for another version, provider or instruction set."""
    runtime = backend(settings)
    if target["name"] == "portable":
        runtime.check_suite_options(settings, what, portable=True)
        return
    from .machine import code_of  # portable networks do not need it

    facts, own, remedy = runtime.facts(settings), runtime.target(settings), "generate it there, or use a portable suite"
    if target["name"] != own:
        here = own.removeprefix(f"{facts['name']}-")
        raise HarnessError(f"{what} is made for {target['name']}, not for {here}; {remedy}")
    if target["runtime"] != facts["version"]:
        there, here = target["runtime"], facts["version"]
        raise HarnessError(f"{what} was lowered by {facts['name']} {there}, this machine has {here}; {remedy}")
    runtime.check_suite_options(settings, what, portable=False)
    code = code_of(runtime.device_number(settings))
    if list(target["instruction_set"]) != code:
        differing = ", ".join(sorted(set(target["instruction_set"]) ^ set(code)))
        raise HarnessError(f"{what} was lowered for another processor (they differ in {differing}); {remedy}")
