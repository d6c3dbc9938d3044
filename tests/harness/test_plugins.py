"""Providers that are libraries of their own: given by path, refused in one line, measured where one runs."""

import _ctypes
import importlib
import importlib.util
from pathlib import Path

import pytest

from dlbricks.harness import session
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.runtimes.onnxruntime import devices, provider_name
from dlbricks.harness.session import SessionSettings, backend, open_session

IDENTITY = Path(session.__file__).parent / "graphs" / "identity.onnx"
NO_PROVIDER = Path(_ctypes.__file__)
"""A library that is no provider."""


def test_what_is_no_provider_is_refused_in_a_line(tmp_path: Path) -> None:
    """A file that is not there, a library that is no provider, and a name that nothing has."""
    for asked, said in (
        (str(tmp_path / "libno.so"), "file not found"),
        (str(NO_PROVIDER), "cannot load the library"),
        ("nothing", "is not in this build"),
    ):
        with pytest.raises(HarnessError, match=said) as caught:
            provider_name(asked)
        assert "\n" not in str(caught.value)


def test_built_in_providers_are_no_plugins() -> None:
    """The processor's provider is opened as ever."""
    assert devices(provider_name("cpu")) == []


@pytest.mark.skipif(importlib.util.find_spec("onnxruntime_ggml") is None, reason="onnxruntime-ggml is not installed")
def test_a_plugin_provider_runs(tmp_path: Path) -> None:
    """A network runs on the provider of a vendor's library, which the facts of the runtime name."""
    library = importlib.import_module("onnxruntime_ggml").get_library_path()
    settings = SessionSettings(provider=str(library), provider_options=(("device", "cpu"), ("threads", "1")))
    opened = open_session(IDENTITY, tmp_path, settings)
    assert opened.placement == (("ggml", 1),)
    assert "; ggml " in backend(settings).facts(settings)["build"]
    assert backend(settings).facts(settings)["providers"] == ["ggml", "CPUExecutionProvider"]
