"""Opens onnxruntime sessions with every option explicit, no silent fallback, and all weight files in one folder."""

import contextlib
import functools
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as _state

from .errors import MISSING, HarnessError
from .options import ONNXRUNTIME, RunOptions

if TYPE_CHECKING:
    from .runtimes.backend import Backend

CONFIG_KEYS = frozenset(
    {
        *("ep.cuda.fpa_intb_gemm", "mlas.disable_kleidiai", "mlas.use_lut_gemm"),
        *("optimization.disable_specified_optimizers", "optimization.enable_cast_chain_elimination"),
        *("optimization.enable_gelu_approximation", "session.disable_aot_function_inlining"),
        *("session.disable_cpu_ep_fallback", "session.disable_double_qdq_remover", "session.disable_prepacking"),
        *("session.disable_quant_qdq", "session.dynamic_block_base", "session.enable_dq_matmulnbits_fusion"),
        *("session.enable_quant_qdq_cleanup", "session.force_spinning_stop"),
        *("session.graph_optimizations_loop_level", "session.inter_op.allow_spinning"),
        *("session.intra_op.allow_spinning", "session.intra_op.spin_backoff_max"),
        *("session.intra_op.spin_duration_us", "session.intra_op_thread_affinities"),
        *("session.qdq_matmulnbits_accuracy_level", "session.qdq_matmulnbits_block_size"),
        *("session.set_denormal_as_zero", "session.use_device_allocator_for_initializers"),
    }
)
"""Session configuration keys that a user may set; onnxruntime itself ignores unknown ones silently."""

RUNTIME_ERRORS: tuple[type[Exception], ...] = (
    HarnessError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
    *(value for value in vars(_state).values() if isinstance(value, type) and issubclass(value, Exception)),
)
"""Exceptions raised when a network is loaded, bound or run; those of onnxruntime have no common base class."""

SPINNING_S = 0.05
"""Time for which threads of a shared pool look out for work after a call, at most: they do for 34 to 40 ms. Meanwhile
they take a core, or half of it, from calls of another process."""
_WEIGHTS_KEY = "session.model_external_initializers_file_folder_path"
_PLACEMENT_KEY = "session.record_ep_graph_assignment_info"
_CPU = "CPUExecutionProvider"
_DEVICES = {
    "CUDAExecutionProvider": "cuda",
    "TensorrtExecutionProvider": "cuda",
    "NvTensorRTRTXExecutionProvider": "cuda",
}
_POOL_SIZES = frozenset({"intra_op_num_threads", "inter_op_num_threads"})
"""Options that a session with the shared pool ignores, with a warning."""
_PROVIDER_DEFAULTS = {
    "CUDAExecutionProvider": {
        "device_id": "0",
        "arena_extend_strategy": "kSameAsRequested",
        "cudnn_conv_algo_search": "EXHAUSTIVE",
        "use_tf32": "1",
        "prefer_nhwc": "0",
        "enable_cuda_graph": "0",
    }
}
FIXED_OPTIONS: dict[str, str | int | bool] = {
    "inter_op_num_threads": 1,
    "execution_mode": "sequential",
    "enable_cpu_mem_arena": True,
    "enable_mem_pattern": True,
    "enable_mem_reuse": True,
    "use_deterministic_compute": False,
    "session.intra_op.allow_spinning": "1",
    "session.intra_op.spin_duration_us": "200",
    "session.inter_op.allow_spinning": "0",
    "session.set_denormal_as_zero": "0",
    "session.disable_prepacking": "0",
}
"""Session options that every run sets; those with a dot are configuration entries."""


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
    """Further session configuration entries, with keys of ``CONFIG_KEYS``."""
    options: tuple[tuple[str, str | int | bool], ...] = tuple(FIXED_OPTIONS.items())
    """Options that every session sets; the file of a benchmark lists them."""
    shared_pool: bool = False
    """Whether all sessions of the process share one thread pool."""
    runtime: str = ONNXRUNTIME
    """One of ``options.RUNTIMES``."""

    @property
    def sharing(self) -> int:
        """Number of threads that all sessions share; 1 if they share none."""
        return self.threads if self.shared_pool else 1

    def with_optimization(self, optimization: str) -> "SessionSettings":
        """Return the same settings with other graph optimisations."""
        return self if optimization == self.optimization else replace(self, optimization=optimization)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An open session and the device of its tensors."""

    inference: Any
    """The ``onnxruntime.InferenceSession``, or another runtime's ``backend.Inference``."""
    device: str
    """``cpu`` or ``cuda``."""
    device_id: int
    placement: tuple[tuple[str, int], ...]
    """Nodes per execution provider, if the runtime reports them; empty on the CPU provider."""
    constants: Sequence[tuple[str, Any]] = ()
    """Name and ``OrtValue`` of constants that the session reads in place; they must live as long as the session."""


def session_settings(options: RunOptions) -> SessionSettings:
    """Return the session settings of a run's options."""
    return SessionSettings(
        threads=options.threads,
        provider=options.provider,
        provider_options=options.provider_options,
        config=options.session_options,
        runtime=options.runtime,
    )


def short_name(provider: str) -> str:
    """Turn ``CUDAExecutionProvider`` into ``cuda``."""
    return provider.removesuffix("ExecutionProvider").lower()


def provider_name(provider: str) -> str:
    """Return the runtime's name of an execution provider, built in or a plugin library (``runtimes.plugins``).

    Raises:
        HarnessError: this build of the runtime does not have it, or its library cannot be used here.
    """
    available = onnxruntime.get_available_providers()
    for name in available:
        if provider.lower() in {short_name(name), name.lower()}:
            return str(name)
    from .runtimes.plugins import plugin_name  # built-in providers do not need it

    if (plugin := plugin_name(provider)) is not None:
        return plugin
    known = ", ".join(short_name(name) for name in available)
    build = f"this build of onnxruntime {onnxruntime.__version__}"
    raise HarnessError(f"execution provider '{provider}' is not in {build}; it has: {known}", MISSING)


def other_runtime(settings: SessionSettings) -> "Backend | None":
    """Return the module of a runtime; None for onnxruntime, which needs none."""
    if settings.runtime == ONNXRUNTIME:
        return None
    from .runtimes.backend import backend

    return backend(settings)


def plugin_devices(name: str) -> list[Any]:
    """Return the devices of a plugin provider; none for a built-in provider."""
    if name == _CPU:
        return []
    from .runtimes.plugins import devices  # one benchmark alone on the CPU does not need it

    return devices(name)


def provider_names(settings: SessionSettings) -> list[str]:
    """Return the providers of a session: the requested one, then those for operators that it has no kernel for.

    TensorRT falls back to CUDA, and all to the CPU unless ``session.disable_cpu_ep_fallback`` is set.
    """
    name = provider_name(settings.provider)
    names = [name]
    if "tensorrt" in name.lower():
        names += [other for other in onnxruntime.get_available_providers() if other == "CUDAExecutionProvider"]
    if name != _CPU and ("session.disable_cpu_ep_fallback", "1") not in settings.config:
        names.append(_CPU)
    return names


def check_settings(settings: SessionSettings) -> None:
    """Refuse settings that the runtime would silently ignore.

    Raises:
        HarnessError: unknown configuration key or provider, or a thread count below 1.
    """
    if settings.threads < 1:
        raise HarnessError(f"--threads is {settings.threads}, it must be at least 1")
    if (other := other_runtime(settings)) is not None:
        other.check(settings)
        return
    unknown = sorted({key for key, _ in settings.config} - CONFIG_KEYS)
    if unknown:
        raise HarnessError(f"unknown session option '{unknown[0]}'; known are: {', '.join(sorted(CONFIG_KEYS))}")
    if settings.optimization not in {"all", "none"}:
        raise HarnessError(f"graph optimisations are 'all' or 'none', not '{settings.optimization}'")
    provider_name(settings.provider)


def with_shared_pool(settings: SessionSettings) -> SessionSettings:
    """Make all sessions of the process share one thread pool if several threads compute on the CPU.

    A pool thread that waits for work spins for a while and then sleeps. Inside a network the next layer finds it awake;
    with a shared pool another session can wake it before a benchmark is timed. Settings with own options of the
    intra-op pool stay as they are, since onnxruntime applies these to pools of single sessions only.

    Another runtime can share as many threads as there are processors only.

    Raises:
        HarnessError: another runtime has fewer threads than there are processors.
    """
    if settings.runtime != ONNXRUNTIME and settings.threads > 1:
        from .machine.cpu import usable_processors  # not needed for one thread

        if settings.threads != usable_processors():
            here = f"--threads is {settings.threads}, {usable_processors()} processors may be used here"
            text = f"networks of {settings.runtime} share all of them: let it use as many, as taskset does"
            raise HarnessError(f"{here}, and {text}")
    own = any(key.startswith("session.intra_op") for key, _ in settings.config)
    shared = settings.threads > 1 and provider_name(settings.provider) == _CPU and not own
    return replace(settings, shared_pool=shared)


def explicit_options(settings: SessionSettings) -> dict[str, str | int | bool]:
    """Return every session option that is set, for the result; graph optimisations are in the suite's manifest."""
    options = {"intra_op_num_threads": settings.threads, **dict(settings.options)}
    if settings.shared_pool:
        options["use_per_session_threads"] = False
        options.pop("session.intra_op.spin_duration_us", None)  # applies to pools of single sessions only
    return {**options, **dict(settings.config)}


def usual_provider_options(provider: str) -> dict[str, str]:
    """Return the default options of a provider, by its short name."""
    return next((dict(one) for name, one in _PROVIDER_DEFAULTS.items() if short_name(name) == provider), {})


def explicit_provider_options(settings: SessionSettings) -> dict[str, str]:
    """Return every option of the execution provider that is set, for the result."""
    return {**usual_provider_options(short_name(provider_name(settings.provider))), **dict(settings.provider_options)}


def prepare_runtime(settings: SessionSettings) -> None:
    """Load the provider's libraries and start the shared thread pool; to be called once, before the first session.

    Raises:
        HarnessError: the provider cannot be used here.
    """
    if settings.shared_pool and settings.runtime == ONNXRUNTIME:
        _start_threads(settings.threads)
    if is_device(settings) and hasattr(onnxruntime, "preload_dlls"):
        onnxruntime.set_default_logger_severity(4)  # errors are raised, with a message of one line
        with contextlib.redirect_stdout(io.StringIO()):  # preload_dlls prints what it cannot find
            onnxruntime.preload_dlls()
        try:
            open_session(Path(__file__).parent / "graphs" / "identity.onnx", Path(), replace(settings, config=()))
        except HarnessError:
            raise
        except RUNTIME_ERRORS as error:
            from .runtimes.plugins import unusable

            raise unusable(provider_name(settings.provider), f": {' '.join(str(error).split())}") from error


def is_device(settings: SessionSettings) -> bool:
    """Whether sessions run on an accelerator, which takes its work from a launch queue."""
    return provider_name(settings.provider) in _DEVICES


def device_number(settings: SessionSettings) -> int | None:
    """Return the number of the accelerator; None for the CPU."""
    return int(explicit_provider_options(settings).get("device_id", "0")) if is_device(settings) else None


@functools.cache
def _start_threads(threads: int) -> None:
    """Start the thread pool that the sessions of this process share; onnxruntime allows that once, for one number."""
    onnxruntime.set_global_thread_pool_sizes(threads, 1)


def open_session(
    network: Path | bytes,
    weights: Path,
    settings: SessionSettings,
    *,
    profile: Path | None = None,
    constants: Sequence[tuple[str, Any]] = (),
) -> Session:
    """Open a session.

    Args:
        network: path of the ONNX file, or its content.
        weights: folder of its external weights.
        settings: of the session.
        profile: path prefix of the profile that the runtime writes; None for no profile.
        constants: name and ``OrtValue`` of constants that the session reads in place.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: whatever onnxruntime raises for a network that it cannot load.
    """
    if (other := other_runtime(settings)) is not None:
        return other.open_session(network, weights, settings, profile=profile)
    name = provider_name(settings.provider)
    chosen = explicit_provider_options(settings)
    options = _session_options(settings, weights, record_placement=name != _CPU)
    if profile is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile)
    for constant, value in constants:
        options.add_initializer(constant, value)
    plugins = plugin_devices(name)
    if plugins:
        options.add_provider_for_devices(plugins, chosen)
    inference = onnxruntime.InferenceSession(
        network if isinstance(network, bytes) else str(network),
        options,
        providers=None if plugins else [(name, chosen), *provider_names(settings)[1:]],
        enable_fallback=0,
        read_config_from_model=0,
    )
    if name not in inference.get_providers():
        from .runtimes.plugins import unusable

        raise unusable(name, f" and offers only {', '.join(inference.get_providers())}")
    placement = _placement(inference) if name != _CPU else {}
    if placement and name not in placement and name not in _DEVICES:
        raise HarnessError(f"{name} has no kernel for it: it would run on {', '.join(sorted(placement))}")
    return Session(
        inference=inference,
        device=_DEVICES.get(name, "cpu"),
        device_id=int(chosen.get("device_id", "0")),
        placement=tuple(sorted(placement.items())),
        constants=tuple(constants),
    )


def _session_options(settings: SessionSettings, weights: Path, *, record_placement: bool) -> Any:
    record = explicit_options(settings)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # errors are raised and reported once
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = (
        levels.ORT_ENABLE_ALL if settings.optimization == "all" else levels.ORT_DISABLE_ALL
    )
    for key, value in record.items():
        if "." in key:
            options.add_session_config_entry(key, str(value))
        elif key != "execution_mode" and not (settings.shared_pool and key in _POOL_SIZES):
            setattr(options, key, value)
    options.add_session_config_entry(_WEIGHTS_KEY, str(weights.absolute()))
    if record_placement:
        options.add_session_config_entry(_PLACEMENT_KEY, "1")
    return options


def _placement(inference: Any) -> dict[str, int]:
    if not hasattr(inference, "get_provider_graph_assignment_info"):
        return {}
    nodes: dict[str, int] = {}
    for part in inference.get_provider_graph_assignment_info():
        nodes[part.ep_name] = nodes.get(part.ep_name, 0) + len(part.get_nodes())
    return nodes


def check_target(target: Mapping[str, Any], settings: SessionSettings, what: str) -> None:
    """Refuse to run lowered networks on another target than the one they were lowered for.

    Args:
        target: ``target`` of ``suite.json``.
        settings: of the sessions.
        what: name of the suite or benchmark, for the message.

    Raises:
        HarnessError: another runtime version, provider or instruction set.
    """
    if target["name"] == "portable":
        if dict(settings.provider_options).get("prefer_nhwc", "0").lower() not in {"0", "false"}:
            text = "prefer_nhwc would transpose at both ends of each benchmark: leave it out, or lower for the provider"
            raise HarnessError(f"{what} is portable: {text}")
        return
    from .machine.runtime import refuse_lowered_elsewhere  # portable networks do not need it

    refuse_lowered_elsewhere(target, settings, what)
