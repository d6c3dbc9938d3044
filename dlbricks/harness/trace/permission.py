"""Checks whether kernels can be traced here, and explains why not.

``cupti_status`` checks cupti-python, the CUDA driver and a subscription; the other functions explain its result.
"""

import ctypes
import importlib.metadata
import importlib.util
import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from ..machine.gpu import CUDA_DRIVER, load_library
from ..run.worker_pool import module_process

REMAINS = "calls and layers can be traced without it"
# A driver that takes longer counts as hanging.
_STARTS_WITHIN_S = 30
NAMES = (
    *("ActivityKind", "ActivityThreadIdType", "Result", "activity_disable", "activity_enable", "activity_flush_all"),
    *("activity_get_num_dropped_records", "activity_register_callbacks", "cuptiError", "get_timestamp"),
    *("set_thread_id_type", "subscribe", "unsubscribe"),
)
"""Names of the module ``cupti.cupti`` that tracing uses; all releases from 13.0 on have them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CuptiStatus:
    """What decides whether kernels can be traced."""

    cupti: str | None
    """Version of cupti-python; None if it is not installed."""
    driver: int | None
    """Newest CUDA version that the driver supports, as in 13000 for 13.0; None without a driver."""
    broken: str = ""
    """Why the installed cupti-python cannot be used; empty if it can."""
    fault: str = ""
    """What is wrong with the installed driver; empty if nothing is."""
    start: int = 0
    """Result of ``cuInit``: 0, or an error number."""
    subscription: str = ""
    """Name of CUPTI's error on a subscription; empty for none."""


def why_not() -> str | None:
    """Return why kernels cannot be traced here and what is still possible, in a line; None if they can.

    The CUDA driver is initialised in another process, so that a crash or hang of the driver does not affect this one.
    """
    return reason(cupti_status(apart=True))


def cupti_errors() -> tuple[type[Exception], ...]:
    """Return the exception types that calls of CUPTI raise, including those for names missing in a release."""
    from cupti import cupti

    return (RuntimeError, ValueError, OSError, ImportError, AttributeError, TypeError, cupti.cuptiError)


def explain(error: Exception) -> str:
    """Return what an error of CUPTI means and what to do, in a line."""
    return _sentence(_status(error))


def cupti_status(*, apart: bool = False) -> CuptiStatus:
    """Check package, driver and device, with a subscription that is released at once.

    Args:
        apart: initialise the driver in another process; after initialising it in this one, its forks cannot use it.
    """
    version, driver = package_version(), driver_version()
    if driver is None:
        fault = "is installed and does not report its version" if load_library(*CUDA_DRIVER) is not None else ""
        return CuptiStatus(cupti=version, driver=None, fault=fault)
    if version is None:
        return CuptiStatus(cupti=None, driver=driver)
    if broken := _broken():
        return CuptiStatus(cupti=version, driver=driver, broken=broken)
    start = _check_apart() if apart else _check_start()
    return CuptiStatus(cupti=version, driver=driver, **start)


def _check_start() -> dict[str, Any]:
    """Initialise the driver and subscribe to CUPTI; return the resulting fields of ``CuptiStatus``."""
    from cupti import cupti

    try:
        if started := int(load_library(*CUDA_DRIVER).cuInit(0)):
            return {"start": started}
    except AttributeError:
        return {"fault": "is installed and has no cuInit"}
    try:
        cupti.unsubscribe(cupti.subscribe(lambda *_: None, None))
        cupti.get_timestamp()
    except cupti_errors() as error:
        return {"subscription": _status(error)}
    return {}


def _check_apart() -> dict[str, Any]:
    """Run ``_check_start`` in another process; a crash or hang of the driver is a fault."""
    done, fault = run_apart(f"{__package__}.permission")
    if done is None:
        return {"fault": fault}
    try:
        start: dict[str, Any] = json.loads(done.stdout.rpartition("\n")[0].rpartition("\n")[2])
    except ValueError:
        return {"fault": f"does not start: {done.stderr.strip().rpartition(chr(10))[2]}"}
    return start


def run_apart(module: str, *arguments: str) -> tuple[subprocess.CompletedProcess[str] | None, str]:
    """Run a module that calls the driver in another process; None, and why, if it crashes or hangs there."""
    try:
        done = subprocess.run(
            **module_process(module, *arguments),
            capture_output=True,
            text=True,
            timeout=_STARTS_WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"does not start within {_STARTS_WITHIN_S} s"
    if done.returncode < 0:
        return None, f"ends the process that starts it ({signal.Signals(-done.returncode).name})"
    return done, ""


def package_version() -> str | None:
    """Return the version of cupti-python, ``unknown`` if it has none; None if it is not installed."""
    try:
        if importlib.util.find_spec("cupti") is None:
            return None
        return importlib.metadata.version("cupti-python")
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return "unknown"


def _broken() -> str:
    """Return why the installed cupti-python cannot be used; empty if it can."""
    try:
        from cupti import cupti
    except Exception as error:  # noqa: BLE001  (libraries of other versions fail to load in many ways)
        return f"it does not load ({type(error).__name__}: {' '.join(str(error).split())})"
    missing = [name for name in NAMES if not hasattr(cupti, name)]
    return f"it has no {', '.join(missing)}" if missing else ""


def driver_version() -> int | None:
    """Return the newest CUDA version of the driver, as in 13000 for 13.0; None without a driver that reports it."""
    version = ctypes.c_int(0)
    try:
        return version.value if load_library(*CUDA_DRIVER).cuDriverGetVersion(ctypes.byref(version)) == 0 else None
    except AttributeError:  # no library, or another one of that name
        return None


def _status(error: Exception) -> str:
    """Return the name of a CUPTI error; of any other error type and message."""
    from cupti import cupti

    if not isinstance(error, cupti.cuptiError):
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    number = int(getattr(error, "status", 0))
    return next((member.name for member in cupti.Result if int(member) == number), f"error {number}")


# Explanations by result of ``cuInit``.
_STARTS = {
    34: "only a stub of the CUDA driver is installed: install the NVIDIA driver",
    46: "the GPU is taken by another process or in a mode that forbids sharing: end the other process",
    100: "the CUDA driver finds no GPU: look at nvidia-smi and CUDA_VISIBLE_DEVICES, in a container at its GPU option",
    802: "the CUDA driver is not ready: the fabric manager or a reset is under way; try again later",
    803: "the CUDA driver's library and its kernel module are of different versions: restart the machine",
    804: "the CUDA driver's library is of a forward compatibility package that this GPU does not allow: remove it",
}

# Explanations by name of CUPTI's error.
_STATUSES = {
    "ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED": (
        "another profiler or debugger uses CUPTI in this process (Nsight, cuda-gdb, PyTorch's profiler): "
        "end it, or run without it"
    ),
    "ERROR_NOT_INITIALIZED": "CUPTI cannot be initialised with this driver: update the NVIDIA driver",
    "ERROR_NOT_COMPATIBLE": "CUPTI and the driver do not fit: update the NVIDIA driver",
    "ERROR_INSUFFICIENT_PRIVILEGES": (
        "only administrators may read GPU counters: run as root, in a container with --cap-add=SYS_ADMIN, or set "
        "the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia and restart"
    ),
    "ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES": (
        "the virtual GPU has no right to be profiled: ask the owner of the host to permit it for this machine"
    ),
    "ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED": "CUPTI does not support this virtual GPU: use the GPU directly",
    "ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED": "the GPU is in confidential mode: turn it off, or use another GPU",
    "ERROR_MIG_DEVICE_NOT_SUPPORTED": "CUPTI does not support this slice of a GPU (MIG): use a whole GPU",
    "ERROR_CMP_DEVICE_NOT_SUPPORTED": "CUPTI does not support mining cards: use another GPU",
    "ERROR_SLI_DEVICE_NOT_SUPPORTED": "CUPTI does not support GPUs joined by SLI: turn SLI off",
    "ERROR_WSL_DEVICE_NOT_SUPPORTED": "CUPTI does not support this under WSL: run on Linux itself",
    "ERROR_HARDWARE_BUSY": "the counters of the GPU are taken by another process: end it (ncu, DCGM, another profiler)",
    "ERROR_OUT_OF_MEMORY": "CUPTI has not enough memory: end other programs",
    "ERROR_UNKNOWN": "the CUDA driver fails: look at nvidia-smi and the log of the kernel",
}


def reason(here: CuptiStatus) -> str | None:
    """Return why kernels cannot be traced, what to do and what is still possible, in a line; None if they can."""
    why = cause(here)
    return None if why is None else f"kernels cannot be traced: {why}; {REMAINS}"


def cause(here: CuptiStatus) -> str | None:
    """Return why CUPTI cannot be used and what to do, in a line; None if it can."""
    if here.fault or here.start:
        fault = here.fault or f"does not start (error {here.start})"
        other = f"the CUDA driver {fault}: look at nvidia-smi and the kernel's log, install the driver anew"
        return _STARTS.get(here.start, other)
    if here.driver is None:
        return "there is no CUDA driver (libcuda.so.1): on a machine with an NVIDIA GPU, install the driver"
    if here.cupti is None:
        return f"cupti-python is not installed: pip install 'cupti-python=={here.driver // 1000}.*'"
    if here.broken:
        fitting = f"pip install --force-reinstall 'cupti-python=={here.driver // 1000}.*'"
        return f"cupti-python {here.cupti} cannot be used, {here.broken}: {fitting}"
    major = here.cupti.partition(".")[0]
    if major.isdigit() and here.driver // 1000 < int(major):
        return (
            f"the driver is too old: it knows CUDA {here.driver // 1000}.{here.driver % 1000 // 10}, and cupti-python "
            f"{here.cupti} needs {major}.0: update the driver, or pip install 'cupti-python=={here.driver // 1000}.*'"
        )
    return _sentence(here.subscription) if here.subscription else None


def _sentence(status: str) -> str:
    """Return the explanation of an error by its name; an unknown name as it is."""
    return _STATUSES.get(status, f"CUPTI answers {status}")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_check_start()) + "\n")
