"""The backend for onnxruntime (``session.Backend``); it sets all options explicitly and refuses fallbacks."""

import contextlib
import ctypes
import functools
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from ..dtypes import BY_ONNX, Numbers, storage_dtype
from ..errors import MISSING, HarnessError
from ..network import aligned
from ..session import GRAPHS, Session, SessionSettings, runtime_errors, uses_graphs

# Oldest usable release: earlier ones lack ``set_global_thread_pool_sizes``, which several threads need.
_OLDEST = [1, 23]
# Session configuration keys that a user may set; onnxruntime itself ignores unknown keys silently.
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

# Key that sets the folder of weight files, which is needed since networks are opened from bytes.
_WEIGHTS_KEY = "session.model_external_initializers_file_folder_path"
_PLACEMENT_KEY = "session.record_ep_graph_assignment_info"
_CPU = "CPUExecutionProvider"
_DEVICES = {
    "CUDAExecutionProvider": "cuda",
    "TensorrtExecutionProvider": "cuda",
    "NvTensorRTRTXExecutionProvider": "cuda",
}
# Options that a session with the shared pool does not set: onnxruntime would ignore them with a warning.
_POOL_SIZES = frozenset({"intra_op_num_threads", "inter_op_num_threads"})
_PROVIDER_DEFAULTS = {
    "CUDAExecutionProvider": {
        "device_id": "0",
        "arena_extend_strategy": "kSameAsRequested",
        "cudnn_conv_algo_search": "EXHAUSTIVE",
        "use_tf32": "1",
        "prefer_nhwc": "0",
        GRAPHS: "0",
    }
}
# Session options that every run sets; those with a dot are configuration entries.
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
# Options that follow from the number of threads, which results record separately; the first one holds the number.
OPTIONS_OF_THREADS = ("intra_op_num_threads", "use_per_session_threads")
# Session options that every result has; a shared pool has no spin duration of its own.
RECORDED_OPTIONS = frozenset({"intra_op_num_threads", *FIXED_OPTIONS}) - {"session.intra_op.spin_duration_us"}
UNEXPLAINED_CONSTANT_SHARE = 0.0


@functools.cache
def exceptions() -> tuple[type[Exception], ...]:
    """Return onnxruntime's exceptions, which have no common base class."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return tuple(value for value in vars(state).values() if isinstance(value, type) and issubclass(value, Exception))


def short_name(provider: str) -> str:
    """Turn ``CUDAExecutionProvider`` into ``cuda``."""
    return provider.removesuffix("ExecutionProvider").lower()


def installed() -> tuple[str, tuple[str, ...]]:
    """Return a line with version and build of onnxruntime, and the names of its execution providers."""
    build = f"onnxruntime {onnxruntime.__version__}: {onnxruntime.get_build_info()}"
    return build, tuple(onnxruntime.get_available_providers())


def provider_name(provider: str) -> str:
    """Return onnxruntime's name of a provider such as ``cuda``; raises ``HarnessError`` if this build lacks it."""
    available = onnxruntime.get_available_providers()
    for name in available:
        if provider.lower() in {short_name(name), name.lower()}:
            return str(name)
    if (plugin := plugin_name(provider)) is not None:
        return plugin
    listed = ", ".join(short_name(name) for name in available)
    build = f"this build of onnxruntime {onnxruntime.__version__}"
    raise HarnessError(f"execution provider '{provider}' is not in {build}: choose from {listed}", MISSING)


def provider_names(settings: SessionSettings) -> list[str]:
    """Return the execution providers of a session: the requested one and its fallbacks.

    TensorRT falls back to CUDA, and every provider to the CPU unless ``session.disable_cpu_ep_fallback`` is set.
    """
    name = provider_name(settings.provider)
    names = [name]
    if "tensorrt" in name.lower():
        names += [other for other in onnxruntime.get_available_providers() if other == "CUDAExecutionProvider"]
    if name != _CPU and ("session.disable_cpu_ep_fallback", "1") not in settings.config:
        names.append(_CPU)
    return names


def check(settings: SessionSettings) -> None:
    """Raise ``HarnessError`` if onnxruntime does not have the execution provider."""
    if not hasattr(onnxruntime, "InferenceSession"):
        remedy = "pip uninstall onnxruntime onnxruntime-gpu, then install one of them"
        message = f"onnxruntime is incomplete, as after uninstalling one of two packages in its folder: {remedy}"
        raise HarnessError(message, MISSING)
    version = str(onnxruntime.__version__)
    if [int(part) for part in re.findall(r"\d+", version)[:2]] < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        message = f"onnxruntime {version} is too old, {oldest} or newer is needed: pip install --upgrade onnxruntime"
        raise HarnessError(message, MISSING)
    unknown = sorted({key for key, _ in settings.config} - CONFIG_KEYS)
    if unknown:
        raise HarnessError(f"unknown session option '{unknown[0]}': choose from {', '.join(sorted(CONFIG_KEYS))}")
    if settings.optimization not in {"all", "none"}:
        raise HarnessError(f"invalid graph optimisations '{settings.optimization}': expected 'all' or 'none'")
    name = short_name(provider_name(settings.provider))
    if uses_graphs(settings) and GRAPHS not in usual_provider_options(name):
        raise HarnessError(f"{GRAPHS} launches kernels of the provider cuda, not of {name}: omit it, or use cuda")


def check_suite_options(settings: SessionSettings, suite: str, *, portable: bool) -> None:
    """Raise ``HarnessError`` if ``prefer_nhwc`` is set for ``portable`` networks (not lowered)."""
    if portable and dict(settings.provider_options).get("prefer_nhwc", "0").lower() not in {"0", "false"}:
        text = "prefer_nhwc adds transpositions to each benchmark: omit it, or use a suite for this provider"
        raise HarnessError(f"{suite} is portable: {text}")


def facts(settings: SessionSettings) -> dict[str, Any]:
    """Return name, version, providers and all options of onnxruntime, for the result file."""
    provider = provider_name(settings.provider)
    # a provider from a library has the library's version, a built-in provider that of onnxruntime
    versions = (device.ep_metadata.get("version", "of unknown version") for device in devices(provider))
    return {
        "name": "onnxruntime",
        "version": onnxruntime.__version__,
        "build": "; ".join([onnxruntime.get_build_info(), *(f"{provider} {version}" for version in versions)]),
        "provider": short_name(provider),
        "providers": provider_names(settings),
        "provider_options": explicit_provider_options(settings),
        "session_options": explicit_options(settings),
        "threads": settings.threads,
    }


def target(settings: SessionSettings) -> str:
    """Return the name of onnxruntime with its execution provider, as in ``onnxruntime-cpu``."""
    return f"onnxruntime-{short_name(provider_name(settings.provider))}"


def explicit_options(settings: SessionSettings) -> dict[str, str | int | bool]:
    """Return all session options that are set, except the level of graph optimisation."""
    options = {"intra_op_num_threads": settings.threads, **(dict(settings.options) or FIXED_OPTIONS)}
    if settings.shared_pool:
        options["use_per_session_threads"] = False
        options.pop("session.intra_op.spin_duration_us", None)  # applies to pools of single sessions only
    return {**options, **dict(settings.config)}


def usual_provider_options(provider: str) -> dict[str, str]:
    """Return the options that every run sets for an execution provider; its name is short, such as ``cuda``."""
    return next((dict(usual) for name, usual in _PROVIDER_DEFAULTS.items() if short_name(name) == provider), {})


def usual_options(provider: str) -> dict[str, str | int | bool]:
    """Return the default options of session and provider that do not depend on the number of threads."""
    return {**FIXED_OPTIONS, **usual_provider_options(provider)}


def explicit_provider_options(settings: SessionSettings) -> dict[str, str]:
    """Return all options that are set for the execution provider."""
    return {**usual_provider_options(short_name(provider_name(settings.provider))), **dict(settings.provider_options)}


def shares_threads(settings: SessionSettings) -> bool:
    """Return whether sessions share one thread pool: on the CPU, unless options need a pool for each session."""
    # onnxruntime applies ``session.intra_op...`` options to pools of single sessions only.
    own = any(key.startswith("session.intra_op") for key, _ in settings.config)
    return provider_name(settings.provider) == _CPU and not own


def prepare(settings: SessionSettings) -> None:
    """Load the provider's libraries and start the shared thread pool; raises ``HarnessError`` if that fails."""
    if settings.shared_pool:
        _start_threads(settings.threads)
    if device_number(settings) is not None and hasattr(onnxruntime, "preload_dlls"):
        onnxruntime.set_default_logger_severity(4)  # no log: errors are raised with a message of one line
        with contextlib.redirect_stdout(io.StringIO()):  # preload_dlls prints missing libraries
            onnxruntime.preload_dlls()
        try:
            open_session(Path(__file__).parents[1] / "graphs" / "identity.onnx", Path(), replace(settings, config=()))
        except HarnessError:
            raise
        except runtime_errors(settings) as error:
            raise unusable(provider_name(settings.provider), f": {' '.join(str(error).split())}") from error


def device_number(settings: SessionSettings) -> int | None:
    """Return the number of the GPU that sessions use; None for the CPU."""
    if provider_name(settings.provider) not in _DEVICES:
        return None
    return int(explicit_provider_options(settings).get("device_id", "0"))


@functools.cache
def _start_threads(threads: int) -> None:
    # Start the thread pool that the sessions of this process share; onnxruntime allows that once per process
    onnxruntime.set_global_thread_pool_sizes(threads, 1)


def open_session(
    network: Path | bytes,
    weights: Path,
    settings: SessionSettings,
    *,
    profile: Path | None = None,
    constants: Sequence[tuple[str, Any]] = (),
) -> Session:
    """Open a session as ``session.open_session`` does; the values of ``constants`` are ``OrtValue``."""
    name = provider_name(settings.provider)
    chosen = explicit_provider_options(settings)
    options = _session_options(settings, weights, record_placement=name != _CPU)
    if profile is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile)
    for constant, value in constants:
        options.add_initializer(constant, value)
    plugins = devices(name)
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
        raise unusable(name, f" and offers only {', '.join(inference.get_providers())}")
    placement = _placement(inference) if name != _CPU else {}
    if placement and name not in placement and name not in _DEVICES:
        raise HarnessError(f"{name} has no kernel for this network, which would run on {', '.join(sorted(placement))}")
    session = Session(
        inference=inference,
        device=_DEVICES.get(name, "cpu"),
        device_id=int(chosen.get("device_id", "0")),
        placement=tuple(sorted(placement.items())),
        constants=tuple(constants),
        queued=partial(_queued, inference, captured=uses_graphs(settings)),
    )
    return session if session.device == "cpu" else replace(session, place=placing(session))


def placing(session: Session) -> Callable[[str, Any], Any]:
    """Return a function that copies the array of a named input or output to the session's device."""
    on_processor: set[str] = set()
    # without a kernel for the device, benchmarks are timed with copies
    for kind in ("input", "output") if set(dict(session.placement)) != {_CPU} else ():
        infos: list[Any] = getattr(session.inference, f"get_{kind}_memory_infos", list)()  # from release 1.23 on
        names = [tensor.name for tensor in getattr(session.inference, f"get_{kind}s")()]
        on_processor |= {name for name, info in zip(names, infos, strict=False) if str(info.name).lower() == "cpu"}

    def place(name: str, values: Numbers) -> Any:
        if name in on_processor:
            return values
        return onnxruntime.OrtValue.ortvalue_from_numpy(values, session.device, session.device_id)

    return place


def _queued(
    inference: Any, binding: Any, *, captured: bool = False
) -> tuple[Callable[[], object], Callable[[], object]]:
    if captured:  # onnxruntime waits for the device whenever it replays a graph
        return partial(inference.run_with_iobinding, binding), binding.synchronize_outputs
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("disable_synchronize_execution_providers", "1")
    # onnxruntime looks for this entry in each call; if it is missing, an exception takes tens of microseconds
    options.add_run_config_entry("gpu_graph_id", "-1")
    return partial(inference.run_with_iobinding, binding, options), binding.synchronize_outputs


def _session_options(settings: SessionSettings, weights: Path, *, record_placement: bool) -> Any:
    record = explicit_options(settings)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # no log: errors are raised, and would appear twice
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


def executed_layers(compiled: Any) -> Sequence[dict[str, str]]:
    """Return an empty list, since the profile names the network's own layers."""
    del compiled
    return ()


def constants_in_place(network: bytes, weights: Path, settings: SessionSettings) -> list[tuple[str, Any]]:
    """Return copies of constants that calls would read from weight files; empty if the runtime copies them."""
    on_processor = provider_name(settings.provider) == _CPU
    return private_constants(network, weights) if settings.optimization == "none" and on_processor else []


def private_constants(network: bytes, weights: Path) -> list[tuple[str, Any]]:
    """Copy the constants that calls read from weight files, so that benchmarks share no memory.

    Returns the name and ``OrtValue`` of each constant; these must live as long as the session.
    """
    from ..model_file import read_directly  # needed without graph optimisations only

    copies = []
    for constant in read_directly(network):
        storage = storage_dtype(BY_ONNX[constant.dtype].name)
        if storage.name != BY_ONNX[constant.dtype].name or constant.length == 0:
            continue  # numpy does not have the element type
        memory = aligned(constant.length)[: constant.length]
        memory[:] = _mapped(weights / constant.file)[constant.offset : constant.offset + constant.length]
        values = memory.view(storage).reshape(constant.shape)
        copies.append((constant.name, onnxruntime.OrtValue.ortvalue_from_numpy(values)))
    return copies


@functools.lru_cache(maxsize=256)
def _mapped(path: Path) -> Numbers:
    return np.memmap(path, np.uint8, "r")


_REGISTERED: set[str] = set()


@functools.cache
def plugin_name(provider: str) -> str | None:
    """Register the library of an execution provider and return its name; None if ``provider`` is not a path.

    Raises ``HarnessError`` if the library cannot be loaded, or offers no device on this machine.
    """
    library = _library(provider)
    if library is None or not hasattr(onnxruntime, "register_execution_provider_library"):
        return None
    earlier = {_key(device) for device in onnxruntime.get_ep_devices()}
    name = Path(provider).name.partition(".")[0].removeprefix("lib")
    try:
        onnxruntime.register_execution_provider_library(name, library)
    except Exception as error:
        cause = " ".join(str(error).split())
        raise HarnessError(f"cannot load the library of execution provider '{name}': {cause}", MISSING) from error
    new = [device for device in onnxruntime.get_ep_devices() if _key(device) not in earlier]
    if not new:
        raise HarnessError(
            f"execution provider '{name}' offers no device on this machine: use another machine or provider", MISSING
        )
    _REGISTERED.add(registered := str(new[0].ep_name))
    return registered


def devices(name: str) -> list[Any]:
    """Return a list of one device of a provider from a library, preferably the CPU; empty for a built-in provider."""
    if name not in _REGISTERED:
        return []
    offered = [device for device in onnxruntime.get_ep_devices() if device.ep_name == name]
    return sorted(offered, key=lambda device: device.device.type != onnxruntime.OrtHardwareDeviceType.CPU)[:1]


def unusable(provider: str, more: str) -> HarnessError:
    """Return an error that names the library that a built-in provider lacks."""
    return HarnessError(f"onnxruntime cannot use {provider} here ({_missing_library(provider)}){more}", MISSING)


def _missing_library(provider: str) -> str:
    file = f"libonnxruntime_providers_{short_name(provider)}.so"
    try:
        ctypes.CDLL(str(Path(onnxruntime.__file__).parent / "capi" / file))
    except OSError as error:
        return f"{' '.join(str(error).split())}; run `dlbricks doctor` for details"
    return "its libraries are installed: check that the driver is new enough and nvidia-smi lists a GPU"


def _library(provider: str) -> str | None:
    # Return the absolute path of a provider's library; None if the provider is not a path
    if "/" not in provider and Path(provider).suffix not in {".so", ".dll", ".dylib"}:
        return None
    if not Path(provider).is_file():
        raise HarnessError(f"execution provider '{provider}': file not found")
    return str(Path(provider).absolute())


def _key(device: Any) -> tuple[str, str, int]:
    return device.ep_name, str(device.device.type), device.device.device_id
