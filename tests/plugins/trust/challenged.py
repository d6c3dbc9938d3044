"""A challenge of a real result, and ways to answer it."""

import dataclasses
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dlbricks.harness.network import Bound
from dlbricks.plugins.trust import answering as vendor
from dlbricks.plugins.trust.document import Challenge, ChallengeAnswer
from dlbricks.plugins.trust.verify import Verdict, verify
from dlbricks.typed_json import checked

SMOKE = Path(__file__).parents[3] / "suites" / "smoke"


@dataclasses.dataclass(frozen=True)
class Asked:
    """A challenge as the collector keeps it, and unpacked as a system runs it."""

    challenge: Challenge
    networks: dict[str, bytes]
    folder: Path


@contextmanager
def unpacked(challenge: Challenge, archive: Path) -> Iterator[Asked]:
    """Unpack a challenge."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(archive) as stream:
        stream.extractall(folder)
        networks = {one.benchmark.network: stream.read(one.benchmark.network) for one in challenge.sequences}
        yield Asked(challenge, networks, Path(folder))


def answered(asked: Asked) -> dict[str, Any]:
    """Answer a challenge with the code that travels in it, and what is patched of it."""
    made: dict[str, Any] = vendor.answer(json.loads((asked.folder / "challenge.json").read_text()), asked.folder)
    return made


def judged(asked: Asked, made: dict[str, Any], *, late_s: float = 0, allow_lower: bool = False) -> Verdict:
    """Verify an answer that comes when its calls are over, or so much later."""
    found = checked(ChallengeAnswer, json.loads(json.dumps(made)), "answer")
    now = asked.challenge.issued_unix_ns + found.wall_ns + round(late_s * 1e9)
    return verify(asked.challenge, asked.networks, found, now_unix_ns=now, allow_lower=allow_lower)


def with_claims(asked: Asked, factor: float) -> Asked:
    """Give the challenge of a result that claims other latencies."""
    sequences = (
        dataclasses.replace(one, claimed_ns=round(factor * one.claimed_ns)) for one in asked.challenge.sequences
    )
    return dataclasses.replace(asked, challenge=dataclasses.replace(asked.challenge, sequences=tuple(sequences)))


def patched_call(monkeypatch: pytest.MonkeyPatch, call: Callable[[Bound], int]) -> None:
    """Let the system make its calls in another way."""
    monkeypatch.setattr(Bound, "call", call)
