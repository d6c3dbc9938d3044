"""One real run, and a challenge of it, for all tests."""

from collections.abc import Iterator

import pytest

from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.plugins.trust.make import make_challenge
from dlbricks.store.document import Document
from dlbricks.suite.manifest import read_suite
from dlbricks.typed_json import canonical_json, digest_bytes
from tests.plugins.trust.challenged import SMOKE, Asked, unpacked

_S = 10**9


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """Measure the smoke suite."""
    return run_suite(SMOKE, tmp_path_factory.mktemp("run") / "result.json", RunOptions(name="here", smoke=True))


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory, measured: Document) -> Iterator[Asked]:
    """Make a challenge of the result."""
    folder, digest = tmp_path_factory.mktemp("challenge"), digest_bytes(canonical_json(measured))
    challenge, archive = make_challenge(measured, digest, read_suite(SMOKE), SMOKE, time_ns=_S // 10, due_ns=900 * _S)
    (folder / "C.zip").write_bytes(archive)
    with unpacked(challenge, folder / "C.zip") as made:
        yield made
