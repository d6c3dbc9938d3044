"""Waiting for what has to happen in another process, however long a busy machine takes for it."""

import subprocess
import time
from collections.abc import Callable

import psutil  # type: ignore[import-untyped]

PATIENCE_S = 300
"""How long something is waited for that has to happen: no law is about how long it takes."""


def wait_for(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Wait until something is the case while a process goes on; where it never is, end the process and tell."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise AssertionError(process.communicate()[1])
        time.sleep(0.02)


def has_workers(process: "subprocess.Popen[str]") -> bool:
    """Whether a process has children that measure."""
    return bool(workers_of(process.pid))


def workers_of(pid: int | None = None) -> list[psutil.Process]:
    """Give the children of a process, this one or another, that measure; others ask the machine, or track resources."""
    return [child for child in psutil.Process(pid).children() if _is_worker(child)]


def _is_worker(child: psutil.Process) -> bool:
    try:
        return any(argument.endswith(".worker") for argument in child.cmdline())
    except psutil.Error:
        return False
