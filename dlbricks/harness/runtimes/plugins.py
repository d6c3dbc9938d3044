"""Plugin execution providers: finds their library by name or path, registers it, and selects a device.

A vendor's package, ``onnxruntime_ep_NAME`` or ``onnxruntime_NAME``, returns the path of its library from a function
``get_library_path`` or ``library_path``. onnxruntime loads the library into this process.
"""

import ctypes
import functools
import importlib
import importlib.util
from pathlib import Path
from typing import Any

import onnxruntime

from ..errors import MISSING, HarnessError

PACKAGES = ("onnxruntime_ep_{}", "onnxruntime_{}")
"""Names of packages with a provider."""
_PATHS = ("get_library_path", "library_path")
_REGISTERED: set[str] = set()


@functools.cache
def plugin_name(provider: str) -> str | None:
    """Register the library of a provider, once per process; return the runtime's name of it, None without a library.

    Args:
        provider: path of the library, or name of the provider.

    Raises:
        HarnessError: the library cannot be loaded, or offers no device here.
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
        raise HarnessError(f"execution provider '{name}': its library cannot be loaded: {cause}", MISSING) from error
    new = [device for device in onnxruntime.get_ep_devices() if _key(device) not in earlier]
    if not new:
        raise HarnessError(
            f"execution provider '{name}': its library is registered, and offers no device here", MISSING
        )
    _REGISTERED.add(registered := str(new[0].ep_name))
    return registered


def devices(name: str) -> list[Any]:
    """Return the device of a registered provider in a list, preferably the CPU; empty for a built-in provider."""
    if name not in _REGISTERED:
        return []
    offered = [device for device in onnxruntime.get_ep_devices() if device.ep_name == name]
    return sorted(offered, key=lambda device: device.device.type != onnxruntime.OrtHardwareDeviceType.CPU)[:1]


def unusable(provider: str, more: str) -> HarnessError:
    """Return the error for a built-in provider that cannot be used, with the missing library, which is only logged."""
    return HarnessError(f"onnxruntime cannot use {provider} here ({_missing_library(provider)}){more}", MISSING)


def _missing_library(provider: str) -> str:
    file = f"libonnxruntime_providers_{provider.removesuffix('ExecutionProvider').lower()}.so"
    try:
        ctypes.CDLL(str(Path(onnxruntime.__file__).parent / "capi" / file))
    except OSError as error:
        return f"{' '.join(str(error).split())}; dlbricks doctor says more"
    return "its libraries are there: see that the driver is new enough and that nvidia-smi lists a GPU"


def _library(provider: str) -> str | None:
    """Return the path of a library; None if no package has it.

    Raises:
        HarnessError: there is no such file, or the package does not return a path.
    """
    if "/" in provider or Path(provider).suffix in {".so", ".dll", ".dylib"}:
        if not Path(provider).is_file():
            raise HarnessError(f"execution provider '{provider}' is not a file")
        return str(Path(provider).absolute())
    for package in (pattern.format(provider.lower()) for pattern in PACKAGES):
        if provider.isidentifier() and importlib.util.find_spec(package) is not None:
            module = importlib.import_module(package)
            path_of = next((getattr(module, name) for name in _PATHS if hasattr(module, name)), None)
            if path_of is None:
                raise HarnessError(f"package {package} does not say where its library lies: give its path", MISSING)
            try:
                return str(path_of())
            except OSError as error:
                raise HarnessError(f"execution provider '{provider}': {error}", MISSING) from error
    return None


def _key(device: Any) -> tuple[str, str, int]:
    return device.ep_name, str(device.device.type), device.device.device_id
