"""Tracing with a CUPTI that comes late, refuses, drops, fails: what is lost is told, and all else goes on."""

from typing import Any

import pytest

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.trace.activities import Kind
from dlbricks.harness.trace.cupti import NEEDED, ActivityTracer, why_not
from tests.harness.fake_cupti import FakeCupti, api_call, fake_cupti, kernel

__all__ = ["fake_cupti"]
NOW = 10**12


def test_a_trace_is_taken_again_and_again(fake_cupti: FakeCupti) -> None:
    """Thirty traces give thirty times their own kernel; the receiver is registered once, all is given back."""
    tracer = ActivityTracer()
    for number in range(30):
        tracer.start()
        fake_cupti.waiting.append(kernel(NOW + number, NOW + number + 7))
        found = tracer.stop()
        assert [(one.name, one.start_ns, one.duration_ns) for one in found] == [("gemm", NOW + number, 7)]
        assert tracer.notes == ()
        assert not fake_cupti.enabled
    assert fake_cupti.calls.count("activity_register_callbacks") == 1
    assert fake_cupti.calls.count("subscribe") == fake_cupti.calls.count("unsubscribe")


def test_late_buffers_are_in_no_other_trace(fake_cupti: FakeCupti) -> None:
    """Records that come between two traces, or in the next one, are counted in its notes and left out."""
    tracer = ActivityTracer()
    tracer.start()
    tracer.stop()
    assert fake_cupti.deliver is not None
    fake_cupti.deliver([kernel(5, 9)])
    tracer.start()
    fake_cupti.waiting += [kernel(6, 10), kernel(NOW, NOW + 1)]
    assert [one.start_ns for one in tracer.stop()] == [NOW]
    assert "records of an earlier trace arrived after its end, and are missing in it: 1" in tracer.notes
    assert "records of an earlier trace are left out: 1" in tracer.notes


def test_dropped_records_are_told(fake_cupti: FakeCupti) -> None:
    """Their number is that of CUPTI."""
    fake_cupti.dropped = 12
    tracer = ActivityTracer()
    tracer.start()
    assert tracer.stop() == ()
    assert tracer.dropped == 12
    assert any("dropped records (12)" in note for note in tracer.notes)


def test_what_can_be_done_without_is_noted(fake_cupti: FakeCupti) -> None:
    """A kind that the driver does not know is named; only what was enabled is disabled."""
    fake_cupti.refused = {int(Kind.SYNCHRONIZATION): "ERROR_NOT_COMPATIBLE"}
    fake_cupti.failing = {"set_thread_id_type": "ERROR_NOT_SUPPORTED"}
    tracer = ActivityTracer()
    tracer.start()
    assert int(Kind.CONCURRENT_KERNEL) in fake_cupti.enabled
    tracer.stop()
    assert [note for note in tracer.notes if "SYNCHRONIZATION" in note]
    assert [note for note in tracer.notes if note.startswith("threads")]
    assert not fake_cupti.enabled


@pytest.mark.parametrize("kind", NEEDED)
def test_what_is_needed_is_refused_in_a_line(fake_cupti: FakeCupti, kind: Kind) -> None:
    """Without kernels or calls there is no trace; CUPTI is given back, and a later trace works."""
    fake_cupti.refused = {int(kind): "ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED"}
    tracer = ActivityTracer()
    with pytest.raises(HarnessError, match="virtual GPU") as refused:
        tracer.start()
    assert refused.value.exit_code == MISSING
    assert not fake_cupti.enabled
    assert fake_cupti.calls.count("subscribe") == fake_cupti.calls.count("unsubscribe")
    with pytest.raises(HarnessError, match="not started"):
        tracer.stop()
    fake_cupti.refused = {}
    tracer.start()
    assert tracer.stop() == ()


@pytest.mark.parametrize("function", ["activity_flush_all", "get_timestamp", "activity_get_num_dropped_records"])
def test_a_failure_at_the_end_loses_one_trace(fake_cupti: FakeCupti, function: str) -> None:
    """The reason is one line, nothing stays enabled, and the next trace is whole."""
    tracer = ActivityTracer()
    tracer.start()
    fake_cupti.failing = {function: "ERROR_UNKNOWN"}
    with pytest.raises(HarnessError, match="the trace is lost: the CUDA driver fails"):
        tracer.stop()
    fake_cupti.failing, fake_cupti.waiting = {}, []
    assert not fake_cupti.enabled
    tracer.start()
    fake_cupti.waiting = [kernel(NOW, NOW + 1)]
    assert len(tracer.stop()) == 1


def test_disabling_that_fails_keeps_the_trace(fake_cupti: FakeCupti) -> None:
    """What was recorded is there, with a note."""
    tracer = ActivityTracer()
    tracer.start()
    fake_cupti.waiting = [kernel(NOW, NOW + 1)]
    fake_cupti.failing = {"activity_disable": "ERROR_UNKNOWN", "unsubscribe": "ERROR_UNKNOWN"}
    assert len(tracer.stop()) == 1
    assert any("still records" in note for note in tracer.notes)
    assert any("not released" in note for note in tracer.notes)


class Unreadable:
    """A record that cannot be decoded."""

    kind = Kind.CONCURRENT_KERNEL

    def __getattr__(self, name: str) -> Any:
        """Fail as text that is no UTF-8 does."""
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, name)


def test_records_that_cannot_be_read_are_counted(fake_cupti: FakeCupti) -> None:
    """The others of their buffer are there; no error reaches CUPTI."""
    tracer = ActivityTracer()
    tracer.start()
    fake_cupti.waiting = [Unreadable(), kernel(NOW, NOW + 1), Unreadable()]
    assert len(tracer.stop()) == 1
    assert "unreadable records (UnicodeDecodeError) are left out: 2" in tracer.notes


def test_one_trace_at_a_time(fake_cupti: FakeCupti) -> None:
    """A second tracer is refused, the first goes on."""
    first, second = ActivityTracer(), ActivityTracer()
    first.start()
    with pytest.raises(HarnessError, match="another trace"):
        second.start()
    fake_cupti.waiting = [kernel(NOW, NOW + 1)]
    assert len(first.stop()) == 1


def test_names_that_are_missing_are_named(fake_cupti: FakeCupti, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a cupti-python gives a reason with what it lacks and how to mend it."""
    assert why_not() is None
    monkeypatch.delattr(fake_cupti.module, "activity_flush_all")
    reason = why_not()
    assert reason is not None
    assert "it lacks activity_flush_all" in reason
    assert "--force-reinstall 'cupti-python==13.*'" in reason
    assert "\n" not in reason


def test_calls_that_neither_launch_nor_wait_are_not_recorded(fake_cupti: FakeCupti) -> None:
    """CUPTI is asked to leave them out; a release that delivers them nevertheless changes nothing."""
    numbers = fake_cupti.module.RuntimeApiTraceCbid
    quick, launching = (int(numbers[name]) for name in ("cudaGetLastError_v3020", "cudaLaunchKernel_v7000"))
    tracer = ActivityTracer()
    tracer.start()
    assert ("runtime", quick, 0) in fake_cupti.left_out
    assert not any(launching == number for library, number, _ in fake_cupti.left_out if library == "runtime")
    assert {library for library, *_ in fake_cupti.left_out} == {"runtime", "driver"}
    fake_cupti.waiting = [api_call(Kind.RUNTIME, number, NOW, NOW + 1) for number in (quick, launching)]
    assert [one.name for one in tracer.stop()] == ["cudaLaunchKernel"]
    assert tracer.lost == 0


def test_a_release_that_cannot_leave_calls_out_is_used(fake_cupti: FakeCupti, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old ones lack the functions, others refuse some numbers: the trace is the same."""
    fake_cupti.failing = {"activity_enable_driver_api": "ERROR_INVALID_PARAMETER"}
    monkeypatch.delattr(fake_cupti.module, "activity_enable_runtime_api")
    tracer = ActivityTracer()
    tracer.start()
    fake_cupti.waiting = [kernel(NOW, NOW + 1)]
    assert len(tracer.stop()) == 1
    assert tracer.notes == ()
