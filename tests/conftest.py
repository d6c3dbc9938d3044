"""What holds for all tests: property tests look for wrong answers, however long a busy machine takes for one.

Tests interrupt processes, also where pytest itself was started in the background and so ignores interruptions.
"""

import gc
import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("patient", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""Hundreds of processes are started: what they import is compiled once, and not by each of them."""
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""Threads of numpy's matrix products wait for work by computing, in this process and in those that it starts."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = (
    "cli/test_cli_llm.py",
    "robustness/test_faults.py",
    "harness/test_run.py",
    "test_docs.py",
    "robustness/test_fuzz.py",
    "robustness/test_hostile.py",
    "cli/test_cli_chain.py",
    "robustness/test_networks.py",
    "cli/test_cli_openvino.py",
    "cli/test_cli_json.py",
)
"""Files of tests that take longest, which come first: what is left at the end is short, so that no process waits."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; the others stay in their order."""
    folder = Path(__file__).parent
    place = {folder / name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among what was collected: 5 to 9 % of the time of tests of networks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make golden`` rewrite the golden files."""
    parser.addoption("--golden", action="store_true", help="rewrite the golden files from what the templates give now")


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are rewritten; only by ``make golden``."""
    return bool(request.config.getoption("--golden", default=False))
