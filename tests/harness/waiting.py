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
    """Whether a process has children that measure; others ask the machine what it is."""
    return any(map(_is_worker, psutil.Process(process.pid).children()))


def _is_worker(child: psutil.Process) -> bool:
    try:
        return any(argument.endswith(".worker") for argument in child.cmdline())
    except psutil.Error:
        return False
