"""Calls the command line with a file that nobody vouches for, in a process of its own, and says what came of it.

A call is a fork of this process, which has imported what the verbs need: some hundred a minute, each with its own
address space, output and end.
"""

import contextlib
import ctypes
import functools
import importlib
import io
import os
import pkgutil
import resource
import select
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import dlbricks
from dlbricks.report.html import plotly_script

ADDRESS_SPACE_BYTES = 12 << 30
"""Of a called process: what protects the machine. What counts is ``Limits.memory_bytes``, of pages in use."""
_WALL = 8
_CAPABILITY_VERSION_3, _CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH, _PR_CAPBSET_DROP = 0x20080522, 1, 2, 24
"""From linux/capability.h and linux/prctl.h."""
TRACEBACK_CODE = 70
_TRACE = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"
REFUSAL_CODES = frozenset({1, 2, 3, 4})
"""Documented exit codes of bad input, failed checks, missing packages and failed benchmarks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most a call may take."""

    seconds: float = 30.0
    """Of processor time, which does not depend on what else the machine does; ``_WALL`` times as many on the clock, and
    more where others wait for processors."""
    memory_bytes: int = 2 << 30
    """Beside the pages of the process that calls, which a fork has, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one call."""

    kind: str
    """``ok``, ``refused``, ``traceback``, ``signal``, ``hang``, ``memory``, or ``wordy``: refused, not in one line."""
    code: int
    seconds: float
    memory_bytes: int
    printed: str
    said: str
    """What it wrote to stderr."""

    @property
    def fine(self) -> bool:
        """Whether it is what a user may see."""
        return self.kind in {"ok", "refused"}

    @property
    def reason(self) -> str:
        """The last line of stderr."""
        return (self.said.strip().splitlines() or [""])[-1][:400]


@functools.cache
def _warm() -> None:
    """Import and read what verbs do when they are called, so that forks need not."""
    for name in ("importlib.readers", "numpy.ma"):
        importlib.import_module(name)
    plotly_script()
    for found in pkgutil.walk_packages(dlbricks.__path__, "dlbricks."):
        if not found.name.endswith(("__main__", "run_once")) and ".harness." not in found.name:
            with contextlib.suppress(ImportError):  # of an optional part
                importlib.import_module(found.name)
    # plotly imports the classes of a chart's parts when they are used first: pages use them.
    main, page = importlib.import_module("dlbricks.cli.app").main, Path(tempfile.mkdtemp()) / "page.html"
    with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        main(["report", str(_TRACE), "-o", str(page)])
    page.unlink()
    page.parent.rmdir()


def called(arguments: Sequence[str | Path], limits: Limits = Limits(), *, privileged: bool = True) -> Outcome:
    """Call ``dlbricks`` with arguments, as a user would; unprivileged also where the tests run as root."""
    _warm()
    return forked(lambda: _verb([str(argument) for argument in arguments], privileged=privileged), limits)


def forked(function: Callable[[], None], limits: Limits) -> Outcome:
    """Call a function in a fork of this process, with its output taken and its time and memory bounded."""
    folder = Path(tempfile.mkdtemp(prefix="driver-"))
    sys.stdout.flush()
    sys.stderr.flush()
    inherited = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    pid = os.fork()
    if not pid:
        _become(function, folder)
    watch = os.pidfd_open(pid)
    try:
        busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # processes for each processor
        ended, _, _ = select.select([watch], [], [], _WALL * busy * limits.seconds)
        if not ended:
            os.killpg(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        with contextlib.suppress(ProcessLookupError):  # what it started and left behind
            os.killpg(pid, signal.SIGKILL)
        printed, said = ((folder / name).read_text("utf-8", errors="replace") for name in ("out", "err"))
    finally:
        os.close(watch)
        shutil.rmtree(folder)
    code = os.waitstatus_to_exitcode(status)
    memory = max(0, used.ru_maxrss * 1024 - inherited)
    kind = "hang" if not ended else _kind(code, said)
    seconds = used.ru_utime + used.ru_stime
    if kind in {"ok", "refused"} and seconds > limits.seconds:
        kind = "hang"
    if kind in {"ok", "refused"} and memory > limits.memory_bytes:
        kind = "memory"
    return Outcome(kind=kind, code=code, seconds=seconds, memory_bytes=memory, printed=printed, said=said)


def _kind(code: int, said: str) -> str:
    if code < 0:
        return "signal"
    if "Traceback (most recent call last)" in said or code not in {0, *REFUSAL_CODES}:
        return "memory" if "MemoryError" in said else "traceback"
    if not code:
        return "ok"
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    return "refused" if len(errors) <= 1 and all(map(str.isprintable, said.splitlines())) else "wordy"


def _verb(arguments: list[str], *, privileged: bool) -> None:
    from dlbricks.cli.app import main

    if not privileged:
        _drop_privileges()
    main(arguments)


def _drop_privileges() -> None:
    """Give up what lets root ignore permissions.

    The process stays its user, who can read the environment that the tests run in: another user may not.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
        # Of the bounding set, so that programs which it starts do not get them back; fails where there are none.
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header, no_capabilities = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)()
    if libc.capset(header, no_capabilities):
        raise OSError(ctypes.get_errno(), "capset")


def _become(function: Callable[[], None], folder: Path) -> None:
    """Be the called process: never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        for name, number in (("out", 1), ("err", 2)):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), number)
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        function()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1 if error.code else 0
    except BaseException:  # noqa: BLE001 - it is what is looked for
        import traceback

        traceback.print_exc()
        code = TRACEBACK_CODE
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
