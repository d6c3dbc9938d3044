"""Execution providers that are libraries of their own: found by name or path, registered, and the devices they offer.

A vendor's package gives the path of its library: ``onnxruntime_ep_NAME`` or ``onnxruntime_NAME``, with a function
``get_library_path`` or ``library_path``. What a library registers is onnxruntime's to load: it runs in this process.
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
"""Names of packages that hold a provider."""
_PATHS = ("get_library_path", "library_path")
_REGISTERED: set[str] = set()


@functools.cache
def plugin_name(asked: str) -> str | None:
    """Register the library of a provider, once in a process; gives the runtime's name of it, None if there is none.

    Args:
        asked: path of a library, or name of a provider.

    Raises:
        HarnessError: the library cannot be loaded, or has no device here.
    """
    library = _library(asked)
    if library is None or not hasattr(onnxruntime, "register_execution_provider_library"):
        return None
    known = {_key(one) for one in onnxruntime.get_ep_devices()}
    name = Path(asked).name.partition(".")[0].removeprefix("lib")
    try:
        onnxruntime.register_execution_provider_library(name, library)
    except Exception as error:
        said = " ".join(str(error).split())
        raise HarnessError(f"execution provider '{name}': its library cannot be loaded: {said}", MISSING) from error
    new = [one for one in onnxruntime.get_ep_devices() if _key(one) not in known]
    if not new:
        raise HarnessError(
            f"execution provider '{name}': its library is registered, and offers no device here", MISSING
        )
    _REGISTERED.add(made := str(new[0].ep_name))
    return made


def devices(name: str) -> list[Any]:
    """Give the device on which a registered library's provider runs, a processor if it can; none for a built-in one."""
    if name not in _REGISTERED:
        return []
    found = [one for one in onnxruntime.get_ep_devices() if one.ep_name == name]
    return sorted(found, key=lambda one: one.device.type != onnxruntime.OrtHardwareDeviceType.CPU)[:1]


def unusable(provider: str, more: str) -> HarnessError:
    """Say that a built-in provider cannot be used, and which library it lacks, which the runtime only logs."""
    return HarnessError(f"onnxruntime cannot use {provider} here ({_missing_library(provider)}){more}", MISSING)


def _missing_library(provider: str) -> str:
    file = f"libonnxruntime_providers_{provider.removesuffix('ExecutionProvider').lower()}.so"
    try:
        ctypes.CDLL(str(Path(onnxruntime.__file__).parent / "capi" / file))
    except OSError as error:
        return f"{' '.join(str(error).split())}; dlbricks doctor says more"
    return "its libraries are there: see that the driver is new enough and that nvidia-smi lists a GPU"


def _library(asked: str) -> str | None:
    """Find a library.

    Raises:
        HarnessError: there is no such file, or a package that does not say where its library lies.
    """
    if "/" in asked or Path(asked).suffix in {".so", ".dll", ".dylib"}:
        if not Path(asked).is_file():
            raise HarnessError(f"execution provider '{asked}' is no file")
        return str(Path(asked).absolute())
    for package in (one.format(asked.lower()) for one in PACKAGES):
        if asked.isidentifier() and importlib.util.find_spec(package) is not None:
            module = importlib.import_module(package)
            told = next((getattr(module, one) for one in _PATHS if hasattr(module, one)), None)
            if told is None:
                raise HarnessError(f"package {package} does not say where its library lies: give its path", MISSING)
            try:
                return str(told())
            except OSError as error:
                raise HarnessError(f"execution provider '{asked}': {error}", MISSING) from error
    return None


def _key(device: Any) -> tuple[str, str, int]:
    return device.ep_name, str(device.device.type), device.device.device_id
