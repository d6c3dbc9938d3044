"""Opens sessions of any runtime: the settings of sessions, and the interface that each runtime implements.

A runtime is one module, ``runtimes/NAME.py``, with the functions of ``Backend``; it is imported on first use. Sessions
of a runtime have some methods of onnxruntime's sessions (docs/architecture.md).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from .errors import HarnessError, required
from .options import ONNXRUNTIME, OTHERS, RUNTIMES, RunOptions
from .runtimes import MODULES

# Upper bound of the time for which threads of a shared pool spin after a call, which was 34 to 40 ms. While they spin,
# they take a core, or half of it, from other processes.
SPINNING_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """Settings of a session."""

    threads: int = 1
    """Number of intra-op threads."""
    provider: str = "cpu"
    """Execution provider: a short name as in ``cpu``, the runtime's name for it, or the path of its library."""
    provider_options: tuple[tuple[str, str], ...] = ()
    optimization: str = "all"
    """Graph optimisations: ``all`` or ``none``."""
    config: tuple[tuple[str, str], ...] = ()
    """Options that the user sets, as keys and values of the runtime."""
    options: tuple[tuple[str, str | int | bool], ...] = ()
    """Session options that a benchmark's file states; empty for the defaults of the backend."""
    shared_pool: bool = False
    """Whether all sessions of the process share one thread pool."""
    runtime: str = ONNXRUNTIME
    """Name of the runtime, from ``options.RUNTIMES``."""

    @property
    def sharing(self) -> int:
        """Number of threads in the pool that all sessions share; 1 without a shared pool."""
        return self.threads if self.shared_pool else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An open session and the device of its tensors."""

    inference: Any
    """The open network; it has the methods of onnxruntime's session that docs/architecture.md lists."""
    device: str = "cpu"
    """``cpu`` or ``cuda``."""
    device_id: int = 0
    placement: tuple[tuple[str, int], ...] = ()
    """Number of nodes by execution provider; empty if unknown, and on the CPU."""
    constants: Sequence[tuple[str, Any]] = ()
    """Constants whose memory the session reads, by name; they must live as long as the session."""
    place: Callable[[str, Any], Any] = lambda _, values: values
    """Returns the buffer for a named input or output: the array itself, or a copy on the device."""
    queued: Callable[[Any], tuple[Callable[[], object], Callable[[], object]]] | None = None
    """Takes a binding; returns a function that enqueues a call, and one that waits for it. None on the CPU."""


class Backend(Protocol):
    """The functions of a runtime's module."""

    OPTIONS_OF_THREADS: tuple[str, ...]
    """Options that follow from the number of threads; the first one is that number."""
    RECORDED_OPTIONS: frozenset[str]
    """Session options whose values a result file must record."""
    UNEXPLAINED_CONSTANT_SHARE: float
    """Share of its latency by which a benchmark may overstate what uncached weights cost in a network."""

    def usual_options(self, provider: str) -> dict[str, str | int | bool]:
        """Return the options of session and provider that every number of threads shares by default."""

    def exceptions(self) -> tuple[type[Exception], ...]:
        """Return the exceptions that loading, binding or running a network may raise, besides Python's own."""

    def check(self, settings: SessionSettings) -> None:
        """Raise ``HarnessError`` if the runtime is not installed or lacks an option of the settings."""

    def check_suite_options(self, settings: SessionSettings, suite: str, *, portable: bool) -> None:
        """Raise ``HarnessError`` for options that distort a suite; ``portable`` networks are not lowered."""

    def facts(self, settings: SessionSettings) -> dict[str, Any]:
        """Return name, version and all options of the runtime, for the result file."""

    def target(self, settings: SessionSettings) -> str:
        """Return the name of the runtime with its execution provider, as in ``onnxruntime-cpu``."""

    def shares_threads(self, settings: SessionSettings) -> bool:
        """Return whether sessions can share a thread pool; raises ``HarnessError`` for unusable numbers of threads."""

    def device_number(self, settings: SessionSettings) -> int | None:
        """Return the device number of the accelerator; None for the CPU."""

    def prepare(self, settings: SessionSettings) -> None:
        """Load libraries and start threads of a shared pool; raises ``HarnessError`` if the device cannot be used."""

    def constants_in_place(self, network: bytes, weights: Path, settings: SessionSettings) -> Sequence[tuple[str, Any]]:
        """Return copies, for ``open_session``, of constants that calls would read from weight files."""

    def open_session(
        self,
        network: Path | bytes,
        weights: Path,
        settings: SessionSettings,
        *,
        profile: Path | None = None,
        constants: Sequence[tuple[str, Any]] = (),
    ) -> Session:
        """Open a network, as the function ``open_session`` of ``session`` describes."""

    def executed_layers(self, compiled: Any) -> Sequence[dict[str, str]]:
        """Return the layers that the runtime executes instead of the network's layers, as properties by name.

        The list is empty if the runtime executes the network's own layers.
        """


def backend(settings: SessionSettings) -> Backend:
    """Return the module of the runtime; raises ``HarnessError`` if it is unknown or not installed."""
    if settings.runtime not in RUNTIMES:
        raise HarnessError(f"unknown runtime '{settings.runtime}': choose from {', '.join(RUNTIMES)}")
    return cast("Backend", required(MODULES[settings.runtime], settings.runtime))


def runtime_errors(settings: SessionSettings) -> tuple[type[Exception], ...]:
    """Return the exceptions that loading, binding or running a network may raise."""
    return (HarnessError, MemoryError, RuntimeError, TypeError, ValueError, *backend(settings).exceptions())


def session_settings(options: RunOptions) -> SessionSettings:
    """Return the session settings from the options of a run."""
    return SessionSettings(
        threads=options.threads,
        provider=options.provider,
        provider_options=options.provider_options,
        config=options.session_options,
        runtime=options.runtime,
    )


def check_settings(settings: SessionSettings) -> None:
    """Raise ``HarnessError`` for settings that the runtime would ignore."""
    if settings.threads < 1:
        raise HarnessError(f"invalid --threads {settings.threads}: expected at least 1")
    backend(settings).check(settings)


def with_shared_pool(settings: SessionSettings) -> SessionSettings:
    """Return settings with a shared pool, if several threads compute on the CPU."""
    # A pool thread without work spins for a while and then sleeps. Inside a network, the next layer finds it awake.
    # With a shared pool, another session can wake it before a benchmark is timed.
    return replace(settings, shared_pool=settings.threads > 1 and backend(settings).shares_threads(settings))


def open_session(
    network: Path | bytes,
    weights: Path,
    settings: SessionSettings,
    *,
    profile: Path | None = None,
    constants: Sequence[tuple[str, Any]] = (),
) -> Session:
    """Open a session for a network (path or bytes) with external data in the folder ``weights``.

    ``profile`` is the prefix of the path of the runtime's profile; ``constants`` come from
    ``Backend.constants_in_place``.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another provider.
        Exception: any type, which the runtime raises for a network that it cannot load.
    """
    return backend(settings).open_session(network, weights, settings, profile=profile, constants=constants)


# Option of an execution provider that launches all kernels of a call at once, as one CUDA graph.
GRAPHS = "enable_cuda_graph"


def uses_graphs(settings: SessionSettings) -> bool:
    """Return whether networks are launched as CUDA graphs."""
    return dict(settings.provider_options).get(GRAPHS, "0").lower() not in {"0", "false"}


def with_graphs(settings: SessionSettings, *, on: bool) -> SessionSettings:
    """Return the settings with or without CUDA graphs."""
    others = (pair for pair in settings.provider_options if pair[0] != GRAPHS)
    return replace(settings, provider_options=(*others, *[(GRAPHS, "1")] * on))


def check_target(target: Mapping[str, Any], settings: SessionSettings, what: str) -> None:
    """Raise ``HarnessError`` about ``what`` if ``target`` differs from the settings' runtime or from this machine."""
    runtime = backend(settings)
    if target["name"] == "portable":
        runtime.check_suite_options(settings, what, portable=True)
        return
    from .cpu import suits
    from .machine import code_of  # portable networks do not need it

    facts, own, remedy = runtime.facts(settings), runtime.target(settings), "generate it there, or use a portable suite"
    if target["name"] != own:
        here = own.removeprefix(f"{facts['name']}-")
        raise HarnessError(f"{what} is made for {target['name']}, not for {here}: {OTHERS}")
    if target["runtime"] != facts["version"]:
        there, here = target["runtime"], facts["version"]
        raise HarnessError(f"{what} was lowered by {facts['name']} {there}, this machine has {here}: {remedy}")
    runtime.check_suite_options(settings, what, portable=False)
    code = code_of(runtime.device_number(settings))
    if not (suits(target, code) if own == "onnxruntime-cpu" else list(target["instruction_set"]) == code):
        differing = ", ".join(sorted(set(target["instruction_set"]) ^ set(code)))
        raise HarnessError(f"{what} was lowered for another processor (they differ in {differing}): {remedy}")
