"""Threads and processes kept on one core."""

import os
import subprocess
import sys

import pytest

from dlbricks.plugins.llm.decoder_loop import on_one_core


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no affinities")
def test_processes_started_meanwhile_stay_on_the_core() -> None:
    """And the thread may use all of its cores again afterwards, whatever happens."""
    usual = os.sched_getaffinity(0)
    told = [sys.executable, "-c", "import os; print(*os.sched_getaffinity(0))"]
    with pytest.raises(KeyboardInterrupt), on_one_core():
        here = os.sched_getaffinity(0)
        child = subprocess.run(told, capture_output=True, text=True, check=True).stdout.split()
        raise KeyboardInterrupt
    assert len(here) == 1
    assert here <= usual
    assert {int(one) for one in child} == here
    assert os.sched_getaffinity(0) == usual
