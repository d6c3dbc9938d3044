"""A process that reads what nobody vouches for costs its own item only, however it ends."""

import contextlib
import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dlbricks import limits
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model import bounds
from dlbricks.process_pool import Crashed, Workers, each_in_worker
from tests.harness.waiting import PATIENCE_S

PLENTY = 1 << 30


def misbehave(path: Path) -> str:
    """Do what the name of a file says."""
    what = path.stem
    if what == "crash":
        faulthandler.disable()  # it would print a page of this process's own
        ctypes.string_at(0)
    if what == "spin":
        while True:
            pass
    if what in {"sleep", "nap"}:
        time.sleep(600 if what == "sleep" else 2.5)
    if what == "eat":
        bytearray(2 * PLENTY)
    if what == "nest":
        return nested(what)
    if what == "end":
        os._exit(0)
    if what == "refuse":
        message = "refused"
        raise InputError(message)
    return what


def nested(what: str) -> str:
    """Call itself without end."""
    return nested(what) + what


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_SECONDS", 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_end_is_told_and_costs_its_own_item(jobs: int) -> None:
    """Crash, endless loop, too much memory or depth, silent end: one reason each; the others have results."""
    names = ("first", "crash", "spin", "eat", "nest", "end", "last")
    with Workers(jobs, memory_bytes=PLENTY) as workers:
        made = workers.each(misbehave, [Path(name) for name in names], lambda _: None)
        again = workers.each(misbehave, [Path("after")], lambda _: None)
    assert (made[0], made[-1], again) == ("first", "last", ["after"])
    reasons = [one.reason for one in made if isinstance(one, Crashed)]
    for reason, part in zip(
        reasons,
        ("SIGSEGV", "s of processor time", "--memory-limit", "deeply", "exit"),
        strict=True,
    ):
        assert part in reason


def test_one_file_apart_is_refused_in_one_line() -> None:
    """The message has the file and what became of it; what the function itself refuses comes through as it is."""
    assert each_in_worker(misbehave, [Path("fine")]) == ({Path("fine"): "fine"}, {})
    with pytest.raises(UnsupportedModelError, match=r"^crash.onnx crashed its worker process \(SIGSEGV\)$"):
        each_in_worker(misbehave, [Path("crash.onnx")])
    with pytest.raises(InputError, match=r"^refused$"):
        each_in_worker(misbehave, [Path("refuse")])


def test_one_file_of_several_that_fails_ends_no_other() -> None:
    """Also after a crash; only where all fail the first error is raised."""
    results, left_out = each_in_worker(misbehave, [Path(name) for name in ("crash", "fine", "refuse", "last")])
    assert [*results.items()] == [(Path("fine"), "fine"), (Path("last"), "last")]
    assert left_out == {"crash": "crash crashed its worker process (SIGSEGV)", "refuse": "refused"}
    with pytest.raises(InputError, match=r"^refused$"):
        each_in_worker(misbehave, [Path("refuse"), Path("crash")])


def test_one_that_neither_computes_nor_answers_is_ended() -> None:
    """Time on the clock is bounded, too."""
    with pytest.raises(UnsupportedModelError, match=r"sleep did not respond, and used no processor, for 1 s"):
        each_in_worker(misbehave, [Path("sleep")])


def test_one_that_is_not_idle_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long that takes on a machine that is busy; processor time ends it, if it does not end itself."""
    monkeypatch.setattr(limits, "IDLE_SECONDS", -1)
    assert each_in_worker(misbehave, [Path("nap")]) == ({Path("nap"): "nap"}, {})
    with pytest.raises(UnsupportedModelError, match=r"spin took more than 1 s of processor time"):
        each_in_worker(misbehave, [Path("spin")])


def test_activity_is_that_of_a_process_and_its_group() -> None:
    """Of no process it is none."""
    begin = time.process_time()
    while time.process_time() - begin < 0.1:
        pass
    assert bounds.activity(os.getpid()).used >= 0.1
    assert bounds.activity(2**30) == bounds.ProcessActivity()


_SPIN = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])}); os.nice(int(sys.argv[2])); print(flush=True)\n"
_SPIN += "while len(sys.argv) > 3 or sys.stdin.read(1): pass"


def test_one_that_waits_for_a_processor_or_was_stopped_is_not_idle() -> None:
    """Others may keep it off the processor for minutes, and somebody may stop it; one that sleeps does neither."""
    place, pipe = str(min(os.sched_getaffinity(0))), subprocess.PIPE
    with contextlib.ExitStack() as ends:
        seen = []
        for given in (("0", "spin"), ("19", "spin"), ("0",), ("0",)):
            one = subprocess.Popen([sys.executable, "-c", _SPIN, place, *given], stdin=pipe, stdout=pipe)
            ends.callback(one.communicate)
            ends.callback(one.kill)
            assert one.stdout is not None
            one.stdout.readline()
            seen.append(one.pid)
        os.kill(seen[-1], signal.SIGSTOP)
        time.sleep(1)  # until the last but one sleeps
        before = [*map(bounds.activity, seen)]
        time.sleep(1)
        now = [*map(bounds.activity, seen)]
        until = time.monotonic() + PATIENCE_S  # the system counts a wait when it ends
        while not (waits := bounds.activity(seen[1])).waited > waits.used and time.monotonic() < until:
            time.sleep(0.1)
    assert waits.waited > waits.used
    assert [one.held for one in now] == [True, True, False, True]
    assert [one.idle_since(other) for one, other in zip(now, before, strict=True)] == [False, False, True, False]


def test_more_time_may_be_allowed_and_only_apart() -> None:
    """What ``allow`` gives holds from then on; in a process that was not set apart nothing is bounded."""
    before = time.process_time()
    bounds.allow(1)
    assert each_in_worker(allowed_more, [Path("x")]) == ({Path("x"): True}, {})
    assert time.process_time() >= before


def allowed_more(path: Path) -> bool:
    """Compute for longer than was allowed at first."""
    bounds.allow(10)
    begin = time.process_time()
    while time.process_time() - begin < 2.5:
        path.exists()
    return True
