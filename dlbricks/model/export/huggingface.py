"""Networks named ``hf:FOLDER``: the architecture of a ``config.json``, exported once into the user's cache."""

import hashlib
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import dlbricks
from dlbricks.errors import InputError, MissingDependencyError, missing_extra

PREFIX = "hf:"
CONFIG = "config.json"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
_READ = (CONFIG, "preprocessor_config.json")
"""Files of the folder that the network depends on."""


def exported(text: str) -> Path:
    """Return the ONNX file of an architecture, named after the folder; exported now unless it is in the cache.

    The export runs in a process of its own, which contains torch's memory and messages.

    Args:
        text: ``hf:FOLDER``.

    Raises:
        MissingDependencyError: torch, onnxscript or transformers is not installed.
        InputError: there is no ``config.json``, or it cannot be exported.
    """
    place = place_of(text)
    if place.is_file():
        return place
    command = [sys.executable, "-P", "-m", "dlbricks.model.export.architecture", text.removeprefix(PREFIX), str(place)]
    made = subprocess.run(
        command, env=os.environ | _OFFLINE, capture_output=True, text=True, check=False, errors="backslashreplace"
    )
    if made.returncode:
        last = next((line for line in reversed(made.stderr.splitlines()) if line.strip()), "it said nothing")
        kind = MissingDependencyError if made.returncode == MissingDependencyError.exit_code else InputError
        raise kind(last if made.returncode > 0 else f"{text}: the export ended by signal {-made.returncode}")
    return place


def place_of(text: str) -> Path:
    """Return the path of the network of ``hf:FOLDER`` in the cache, by a digest of what it depends on.

    Raises:
        MissingDependencyError: a library is not installed.
        InputError: there is no ``config.json``.
    """
    folder = Path(text.removeprefix(PREFIX))
    digest = hashlib.sha256()
    for name in _READ:
        try:
            digest.update((folder / name).read_bytes())
        except OSError as error:
            if name == CONFIG:
                raise InputError(
                    f"{text}: cannot read {folder / CONFIG}: {error.strerror}; name the folder of a Hugging Face model"
                ) from error
    digest.update(f" dlbricks {dlbricks.__version__}".encode())
    for library in ("onnxscript", "torch", "transformers"):
        try:
            digest.update(f" {library} {version(library)}".encode())
        except PackageNotFoundError as error:
            raise missing_extra(f"{text} needs {library}", "torch") from error
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = folder.resolve().name or "network"
    return cache / "dlbricks" / "networks" / digest.hexdigest()[:16] / f"{name}.onnx"
