"""What holds for all tests: property tests look for wrong answers, however long a busy machine takes for one.

Tests interrupt processes, also where pytest itself was started in the background and so ignores interruptions.
"""

import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make golden`` rewrite the golden files."""
    parser.addoption("--golden", action="store_true", help="rewrite the golden files from what the templates give now")


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are rewritten; only by ``make golden``."""
    return bool(request.config.getoption("--golden", default=False))
