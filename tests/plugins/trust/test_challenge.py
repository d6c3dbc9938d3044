"""An honest answer holds; whoever did not make the calls, all of them, as they are asked, proves nothing."""

import copy
import dataclasses
import hashlib
import json
import lzma
import statistics
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.harness.network import Bound
from dlbricks.limits import CHALLENGE_CALLS
from dlbricks.plugins.trust import answering as vendor
from dlbricks.plugins.trust.document import work_ns
from dlbricks.plugins.trust.make import LEAST_CALLS, calls_of, claimed_ns, make_challenge, wait_ns
from dlbricks.plugins.trust.verify import difference, read_answer, read_challenge
from dlbricks.store.document import Document
from dlbricks.store.summary import measurements
from dlbricks.suite.manifest import read_suite
from tests.plugins.trust.challenged import SMOKE, Asked, answered, judged, patched_call, with_claims


@given(st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=40), st.data())
def test_a_path_leads_to_the_commitment_and_from_nowhere_else(leaves: list[bytes], data: st.DataObject) -> None:
    """Each leaf leads by its path to the root; another leaf, another place, a longer or shorter path does not."""
    levels = vendor.tree_of(leaves)
    root = vendor.root_of(levels[-1][0], len(leaves))
    place = data.draw(st.integers(0, len(leaves) - 1))
    path = vendor.path_of(levels, place)
    assert vendor.root_by_path(leaves[place], place, path, len(leaves)) == root
    assert vendor.root_by_path(leaves[place] + b"x", place, path, len(leaves)) != root
    assert vendor.root_by_path(leaves[place], place, [*path, b"x" * 32], len(leaves)) is None
    if path:
        assert vendor.root_by_path(leaves[place], place, path[:-1], len(leaves)) is None
    assert vendor.root_by_path(leaves[place], place, path, len(leaves) + 1) != root


@pytest.fixture(scope="module")
def honest(asked: Asked) -> dict[str, Any]:
    """Answer as asked."""
    return answered(asked)


def test_an_honest_answer_holds(asked: Asked, honest: dict[str, Any]) -> None:
    """Claims so generous that a busy machine keeps them are proved; 32 calls are made again and agree."""
    found = judged(with_claims(asked, 100), honest)
    assert found.faults == ()
    assert found.links == 32
    assert found.difference < 1e-5
    assert found.elapsed_ns == honest["wall_ns"]


def test_claims_that_the_answer_itself_contradicts(asked: Asked, honest: dict[str, Any]) -> None:
    """Whoever claims a hundredth and answers honestly is told so by the times of the answer."""
    (fault,) = judged(with_claims(asked, 0.01), honest).faults
    assert "times as long as the result claims" in fault


def test_a_late_answer(asked: Asked, honest: dict[str, Any]) -> None:
    """By the collector's clock."""
    assert "after the deadline" in judged(with_claims(asked, 100), honest, late_s=1000).faults[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda made: made.update(nonce="0" * 64), "another challenge"),
        (lambda made: made["sequences"].pop(), "the answer lacks this sequence"),
        (lambda made: made["sequences"][0]["leaves"].pop(), "it discloses"),
        (lambda made: made["sequences"][0].update(failed="out of memory"), "out of memory"),
        (lambda made: made["sequences"][0].update(roots=made["sequences"][0]["roots"][:44]), "it commits to 1 of"),
        (lambda made: made["sequences"][0].update(roots="~"), "it commits to 0 of"),
        (lambda made: made["sequences"][0]["paths"].__setitem__(0, "AAAA"), "does not match its commitment"),
        (lambda made: made["sequences"][0]["leaves"].__setitem__(0, "AAAA"), "does not match its commitment"),
        (
            lambda made: made.update(sequences=[*made["sequences"][1:], made["sequences"][1]]),
            "the answer lacks this sequence",
        ),
    ],
)
def test_an_answer_that_is_not_whole(asked: Asked, honest: dict[str, Any], change: Any, said: str) -> None:
    """Every part of an answer has to be there and to belong together."""
    made = copy.deepcopy(honest)
    change(made)
    assert any(said in fault for fault in judged(with_claims(asked, 100), made).faults)


def test_an_even_claim_of_half_the_time_comes_too_late(asked: Asked) -> None:
    """Ten minutes of calls as claimed, with work beside them of a quarter: who needs twice the claim is late."""
    (first, *_) = asked.challenge.sequences
    claimed_ns = 4 * work_ns(first.benchmark)
    calls = 600 * 10**9 // claimed_ns
    long = dataclasses.replace(
        asked.challenge, sequences=(dataclasses.replace(first, calls=calls, claimed_ns=claimed_ns),)
    )
    work = long.work_ns / long.claimed_ns
    assert (1.1 + work) * long.claimed_ns < wait_ns(long) < 2 * long.claimed_ns


def test_answers_that_nothing_can_be_compared_with_are_not_challenged(asked: Asked, measured: Document) -> None:
    """Random answers, and those that depend on rounding, have no reference: right and wrong ones look alike."""
    suite = read_suite(SMOKE)
    bare = tuple(dataclasses.replace(one, reference=None) for one in suite.benchmarks)
    kept = asked.challenge.sequences[0].benchmark.fingerprint
    some = tuple(
        one if one.fingerprint == kept else without for one, without in zip(suite.benchmarks, bare, strict=True)
    )
    challenge, _ = make_challenge(measured, "0" * 64, dataclasses.replace(suite, benchmarks=some), SMOKE, time_ns=10**7)
    assert [one.benchmark.fingerprint for one in challenge.sequences] == [kept]
    with pytest.raises(InputError, match="cannot be challenged"):
        make_challenge(measured, "0" * 64, dataclasses.replace(suite, benchmarks=bare), SMOKE, time_ns=10**7)


@given(st.lists(st.tuples(st.floats(0.1, 10), st.integers(10**4, 10**8), st.integers(10**5, 10**8)), min_size=1))
def test_quick_calls_leave_their_time_to_others(drawn: list[tuple[float, int, int]]) -> None:
    """All calls take the time that was asked for, or each as much as it may; work beside quick ones stays small."""
    shares = {place: share * 10**10 for place, (share, _, _) in enumerate(drawn)}
    claimed = {place: one for place, (_, one, _) in enumerate(drawn)}
    work = {place: one for place, (_, _, one) in enumerate(drawn)}
    calls = calls_of(shares, claimed, work)
    taken, asked_for = sum(calls[one] * claimed[one] for one in calls), sum(shares.values())
    assert all(LEAST_CALLS <= one <= CHALLENGE_CALLS for one in calls.values())
    quick = {one for one in calls if work[one] > claimed[one]}
    assert all(calls[one] * work[one] <= 0.25 * shares[one] + 33 * work[one] for one in quick)
    full = all(calls[one] == CHALLENGE_CALLS for one in calls if one not in quick)
    slack = sum(33 * claimed[one] for one in calls)
    assert abs(taken - asked_for) <= slack or (full and taken < asked_for + slack)


def test_disclosed_calls_follow_from_all_commitments() -> None:
    """128 different calls of many, all of few; other roots give others."""
    roots = bytes(range(256)) * 500
    chosen = vendor.disclosed_of(roots)
    assert len(set(chosen)) == 128
    assert max(chosen) < 4000
    assert vendor.disclosed_of(roots[:-1] + b"x") != chosen
    assert vendor.disclosed_of(roots[: 32 * 9]) == tuple(range(9))


def test_lower_precision_has_to_be_declared(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers rounded as float16 would round them are told from honest ones, and hold where that was declared."""
    honest_call = Bound.call

    def call(self: Bound) -> int:
        taken = honest_call(self)
        for buffer in self.outputs():
            if buffer.dtype == np.float32:
                buffer[:] = buffer.astype(np.float16).astype(np.float32)
        return taken

    patched_call(monkeypatch, call)
    made = answered(asked)
    monkeypatch.undo()
    (fault,) = judged(with_claims(asked, 100), made).faults
    assert "lower precision" in fault
    assert judged(with_claims(asked, 100), made, allow_lower=True).faults == ()


@pytest.mark.parametrize(
    ("made", "given", "wrong"),
    [
        ([1.0, 2.0], [1.0, 2.001], False),
        ([1.0, 2.0], [1.0, 2.1], True),
        ([1.0, np.nan], [1.0, np.nan], True),
        ([1.0, np.inf], [1.0, np.inf], False),
        ([1.0, np.inf], [1.0, -np.inf], True),
        ([1.0, 2.0], [1.0], True),
        ([1e-9, 1.0], [2e-9, 1.0], False),
    ],
)
def test_when_values_agree(made: list[float], given: list[float], wrong: bool) -> None:
    """Within the tolerance of the type; infinities alone agree with themselves, and no number with nothing."""
    found, _ = difference(np.array(made, np.float32), np.array(given, np.float32), "float32", ("Conv",))
    assert bool(found) == wrong


@pytest.mark.parametrize(("factor", "claimed"), [(1.0, 1.0), (0.25, 0.55)])
def test_times_of_host_and_device_are_claims_too(factor: float, claimed: float) -> None:
    """An answer has to prove their sum if it is less than a call of an H200 takes: estimates consist of it."""
    with lzma.open(Path(__file__).parents[2] / "data" / "attacked_runs.json.xz") as stream:
        results = measurements(json.load(stream)[-1])
    ratios = []
    for each in results.measurements.values():
        assert each.queue is not None
        times = {name: round(factor * getattr(each.queue, name)) for name in ("host_ns", "device_ns")}
        queue = dataclasses.replace(each.queue, **times, host_low_ns=0, device_low_ns=0)
        ratios.append(claimed_ns(msgspec.structs.replace(each, queue=queue), results.queue) / each.latency_ns)
        assert claimed_ns(each, None) == each.latency_ns
    assert statistics.median(ratios) == pytest.approx(claimed, abs=0.05)


def test_the_file_runs_by_itself(asked: Asked, tmp_path: Path) -> None:
    """``python FILE`` answers without dlbricks, and the collector reads both files."""
    archive = tmp_path / "C.zip"
    with zipfile.ZipFile(archive, "w") as stream:
        for path in sorted(asked.folder.rglob("*")):
            if path.is_file() and "weights" not in path.parts:
                stream.write(path, path.relative_to(asked.folder).as_posix())
    command = [sys.executable, "-I", str(archive), "-o", str(tmp_path / "answer.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "send it back" in done.stdout
    challenge, networks = read_challenge(archive)
    assert challenge == asked.challenge
    assert judged(with_claims(asked, 100), json.loads((tmp_path / "answer.json").read_text())).faults == ()
    assert set(networks) == set(asked.networks)
    answer = (tmp_path / "answer.json").read_bytes()
    assert read_answer(tmp_path / "answer.json").nonce == challenge.nonce
    again = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (again.returncode, (tmp_path / "answer.json").read_bytes()) == (2, answer)
    assert "answer.json exists: move it, or name another file with --out" in again.stderr


@pytest.mark.parametrize(
    "damage", ["no zip", "no challenge", "changed network", "other format", "outside", "no values"]
)
def test_hostile_challenges(asked: Asked, tmp_path: Path, damage: str) -> None:
    """What is not a challenge is refused in one line; nothing is written and nothing is run."""
    path = tmp_path / "C.zip"
    document = json.loads((asked.folder / "challenge.json").read_text())
    networks = dict(asked.networks)
    if damage == "changed network":
        networks = dict.fromkeys(networks, b"x")
    if damage == "other format":
        document["format"] = "x"
    if damage == "outside":
        document["sequences"][0]["benchmark"]["network"] = "../../evil.onnx"
    if damage == "no values":
        for one in document["sequences"][0]["benchmark"]["outputs"]:
            one["shape"] = [0]
    with zipfile.ZipFile(path, "w") as stream:
        if damage != "no challenge":
            stream.writestr("challenge.json", json.dumps(document))
        for name, data in networks.items():
            stream.writestr(name, data)
    if damage == "no zip":
        path.write_bytes(b"PK\3\4nothing")
    with pytest.raises(InputError, match=r"C\.zip"):
        read_challenge(path)
    assert [one.name for one in tmp_path.iterdir()] == ["C.zip"]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_challenge_that_does_not_unpack(asked: Asked, tmp_path: Path, method: int) -> None:
    """Bytes that were changed within what is packed are damage, whatever packed it; some are seen by the checksum."""
    path = tmp_path / "C.zip"
    with zipfile.ZipFile(path, "w", method) as stream:
        stream.write(asked.folder / "challenge.json", "challenge.json")
    whole = path.read_bytes()
    for at in range(60, 1000, 47):
        path.write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
        with pytest.raises(InputError, match=r"C\.zip is not a challenge, or is damaged"):
            read_challenge(path)


def test_a_seed_follows_from_secret_sequence_and_answer() -> None:
    """Each of the three changes all inputs of a call."""
    root = hashlib.sha256(b"").digest()
    seeds = {
        vendor.seed_of(*one)
        for one in (("a", "f", b""), ("b", "f", b""), ("a", "g", b""), ("a", "f", root), ("a", "f", root[::-1]))
    }
    assert len(seeds) == 5
