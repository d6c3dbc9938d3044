"""Providers that are libraries of their own: found by package or path, refused in one line, measured where one runs."""

import _ctypes
import importlib.util
from pathlib import Path

import pytest

from dlbricks.harness import session
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.runtimes.onnxruntime import devices, plugin_name, provider_name
from dlbricks.harness.session import SessionSettings, open_session, runtime_facts

IDENTITY = Path(session.__file__).parent / "graphs" / "identity.onnx"
NO_PROVIDER = Path(_ctypes.__file__)
"""A library that is no provider."""


def test_what_is_no_provider_is_refused_in_a_line(tmp_path: Path) -> None:
    """A file that is not there, a library that is no provider, and a name that nothing has."""
    for asked, said in (
        (str(tmp_path / "libno.so"), "is not a file"),
        (str(NO_PROVIDER), "cannot be loaded"),
        ("nothing", "is not in this build"),
    ):
        with pytest.raises(HarnessError, match=said) as caught:
            provider_name(asked)
        assert "\n" not in str(caught.value)


def test_a_package_says_where_its_library_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vendor's package is found by the provider's name; one without a library to be had is refused."""
    for name, code, said in (
        ("onnxruntime_ep_silent", "", "does not say where its library lies"),
        ("onnxruntime_ep_gone", "def get_library_path():\n    raise FileNotFoundError('it is gone')\n", "it is gone"),
        ("onnxruntime_wrong", f"def library_path():\n    return {str(NO_PROVIDER)!r}\n", "cannot be loaded"),
    ):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(HarnessError, match=said):
            plugin_name(name.rpartition("_")[2])


def test_built_in_providers_are_no_plugins() -> None:
    """The processor's provider is opened as ever."""
    assert devices(provider_name("cpu")) == []


@pytest.mark.skipif(importlib.util.find_spec("onnxruntime_ggml") is None, reason="onnxruntime-ggml is not installed")
def test_a_plugin_provider_runs(tmp_path: Path) -> None:
    """A network runs on the provider of a vendor's package, which the facts of the runtime name."""
    settings = SessionSettings(provider="ggml", provider_options=(("device", "cpu"), ("threads", "1")))
    opened = open_session(IDENTITY, tmp_path, settings)
    assert opened.placement == (("ggml", 1),)
    assert "; ggml " in runtime_facts(settings)["build"]
    assert runtime_facts(settings)["providers"] == ["ggml", "CPUExecutionProvider"]
