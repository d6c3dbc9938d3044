"""Counting with cupti-python over replaced native calls: one collector per pass, each ended once."""

import ctypes
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.profile import counters
from dlbricks.profile.counters import count, why_not_counters
from tests.harness.fake_cupti import Driver, FakeCupti, fake_cupti

__all__ = ["fake_cupti"]
METRICS = (b"dram__bytes_read", b"dram__bytes_write", b"sm__warps_active", b"sm__cycles_active")
CHIP = ctypes.c_char_p(b"GH100")
NAMES = (ctypes.c_char_p * len(METRICS))(*METRICS)
SAMPLES = 3


def pointer(value: Any) -> int:
    """Give the address that a C value of characters holds."""
    return ctypes.cast(value, ctypes.c_void_p).value or 0


GIVEN: Mapping[str, Mapping[str, int]] = {
    "device_get_chip_name": {"p_chip_name": pointer(CHIP)},
    "pm_sampling_enable": {"p_pm_sampling_object": 1234},
    "pm_sampling_get_counter_data_size": {"counter_data_size": 64},
    "pm_sampling_get_counter_data_info": {"num_completed_samples": SAMPLES},
    "profiler_host_initialize": {"p_host_object": 99},
    "profiler_host_get_config_image_size": {"config_image_size": 16},
    "profiler_host_get_base_metrics": {"pp_metric_names": ctypes.addressof(NAMES), "num_metrics": len(METRICS)},
    "profiler_host_get_num_of_passes": {"num_of_passes": 1},
}
"""What each function fills in; others succeed and fill in nothing."""


class Native:
    """Native side of counting, which fills structures in the layout of numpy."""

    def __init__(self, module: Any, error: Callable[[str], Exception]) -> None:
        """Begin without failures."""
        self.module, self._error = module, error
        self.calls: list[str] = []
        self.failing: dict[str, str] = {}
        layouts = {
            re.sub(r"_?params_?dtype$|_", "", name): getattr(module, name) for name in dir(module) if "_params_" in name
        }
        self._layouts = layouts

    def __call__(self, name: str, place: int) -> None:
        """Fail, or fill in what is known."""
        self.calls.append(name)
        if name in self.failing:
            raise self._error(self.failing[name])
        fields = GIVEN.get(name, {})
        if not fields and name != "profiler_host_evaluate_to_gpu_values":
            return
        layout = self._layouts[name.replace("_", "")]
        view = np.frombuffer((ctypes.c_char * layout.itemsize).from_address(place), layout)
        for field, value in fields.items():
            view[field] = value
        if name == "profiler_host_evaluate_to_gpu_values":
            many = int(view["num_metrics"][0])
            values = (ctypes.c_double * many).from_address(int(view["p_metric_values"][0]))
            values[:] = [100.0] * many


@pytest.fixture
def native(fake_cupti: FakeCupti, monkeypatch: pytest.MonkeyPatch) -> Iterator[Native]:
    """Give the native side of a CUPTI that works."""
    pytest.importorskip("cupti.pm_sampling", reason="this cupti-python has no sampling")
    made = Native(fake_cupti.module, fake_cupti.error)
    for name in dir(fake_cupti.module):
        if re.match(r"(profiler_|pm_sampling_|device_get_chip_name)", name) and not name.endswith("_dtype"):
            monkeypatch.setattr(fake_cupti.module, name, lambda place, name=name: made(name, place))
    monkeypatch.setattr(counters, "load_nvperf", lambda: None)
    yield made
    assert made.calls.count("profiler_deinitialize") <= made.calls.count("profiler_initialize")


def balance(native: Native) -> tuple[int, int]:
    """Return how often the profiler was started and ended."""
    return native.calls.count("profiler_initialize"), native.calls.count("profiler_deinitialize")


def test_every_pass_has_its_collector(native: Native) -> None:
    """The plan and each pass start the profiler and end it once; samples add up over a pass."""
    found = count(lambda: None, least_ns=1)
    started, ended = balance(native)
    assert started == ended == 3  # one for the only pass, two for asking: whether it works, and what the chip has
    assert native.calls.count("pm_sampling_enable") == native.calls.count("pm_sampling_disable") == started
    assert found.attributes["dram_read_bytes"] == SAMPLES * 100 / counters.LEAST_CALLS
    assert found.attributes["occupancy"] == pytest.approx(1.0)
    hosts = [name for name in native.calls if name in {"profiler_host_initialize", "profiler_host_deinitialize"}]
    assert hosts[::2] == ["profiler_host_initialize"] * (len(hosts) // 2)
    assert hosts[1::2] == ["profiler_host_deinitialize"] * (len(hosts) // 2)


def test_sampling_holds_the_primary_context(native: Native) -> None:
    """Without a context CUPTI knows no device; each collector takes it and gives it back."""
    Driver.contexts.clear()
    count(lambda: None, least_ns=1)
    started, _ = balance(native)
    taken = ["cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2"]
    assert Driver.contexts == [*taken, "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2"] * started


def test_a_context_that_cannot_be_made_is_told(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a line, with the function that failed."""
    monkeypatch.setattr(Driver, "cuDevicePrimaryCtxRetain", lambda *_: 2, raising=False)
    reason = why_not_counters()
    assert reason is not None
    assert "cuDevicePrimaryCtxRetain fails with error 2" in reason
    assert native.calls == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("ERROR_INSUFFICIENT_PRIVILEGES", "administrators"),
        ("ERROR_HARDWARE_BUSY", "another process uses the counters"),
        ("ERROR_INVALID_OPERATION", "already enabled"),
    ],
)
def test_what_could_not_be_enabled_is_not_disabled(native: Native, status: str, said: str) -> None:
    """The reason is one line; sampling that did not start is not ended."""
    native.failing = {"pm_sampling_enable": status}
    reason = why_not_counters()
    assert reason is not None
    assert said in reason
    assert "\n" not in reason
    assert "pm_sampling_disable" not in native.calls
    with pytest.raises(HarnessError) as refused:
        count(lambda: None)
    assert refused.value.exit_code == MISSING


@pytest.mark.parametrize(
    ("function", "status", "said"),
    [
        ("pm_sampling_decode_data", "ERROR_OUT_OF_MEMORY", "too many samples"),
        ("pm_sampling_decode_data", "ERROR_UNKNOWN", "the CUDA driver fails"),
        ("profiler_host_evaluate_to_gpu_values", "ERROR_UNKNOWN", "the CUDA driver fails"),
        ("pm_sampling_set_config", "ERROR_NOT_SUPPORTED", "configuration is not supported"),
        ("profiler_host_initialize", "ERROR_INVALID_CHIP_NAME", "Invalid chip_name"),
    ],
)
def test_a_pass_that_fails_is_ended(native: Native, function: str, status: str, said: str) -> None:
    """Errors of decoding and configuring are one line; everything started is ended, and the next count works."""
    native.failing = {function: status}
    with pytest.raises(HarnessError, match=said):
        count(lambda: None, least_ns=1)
    started, ended = balance(native)
    assert started == ended
    native.failing = {}
    assert count(lambda: None, least_ns=1).attributes


def test_a_release_without_sampling_says_so(fake_cupti: FakeCupti, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before 13.3 there is no such module: the reason names the release that has it."""
    monkeypatch.setitem(sys.modules, "cupti.pm_sampling", None)
    monkeypatch.delattr("cupti.pm_sampling", raising=False)
    reason = why_not_counters()
    assert reason is not None
    assert "cannot sample: pip install 'cupti-python>=13.3'" in reason
    assert fake_cupti.calls.count("subscribe") == fake_cupti.calls.count("unsubscribe")


@pytest.mark.usefixtures("fake_cupti")
def test_a_library_that_ends_its_process_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A segmentation fault inside of sampling is told in a line, and not met in this process."""
    package = tmp_path / "cupti"
    package.mkdir()
    (package / "__init__.py").touch()
    lines = ("import os, signal", "os.kill(os.getpid(), signal.SIGSEGV)")
    (package / "pm_sampling.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    reason = why_not_counters()
    assert reason is not None
    assert "sampling crashes the process that starts it (SIGSEGV)" in reason


def test_a_release_without_a_kind_of_trigger_says_so(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name missing in a release gives a reason in one line."""
    monkeypatch.delattr("cupti.pm_sampling.TriggerMode")
    with pytest.raises(HarnessError, match="TriggerMode"):
        count(lambda: None, least_ns=1)
    started, ended = balance(native)
    assert started == ended
