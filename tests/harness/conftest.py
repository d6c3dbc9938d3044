"""The tiny suite, made once for all tests that only read it."""

from pathlib import Path

import pytest

from tests.harness.small_suite import tiny


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that holds the tiny suite and its weights."""
    return tiny(tmp_path_factory.mktemp("suite"))
