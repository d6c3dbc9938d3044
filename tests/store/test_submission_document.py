"""Reading submissions: what is read holds to the schema, and what is not says where and why in one line."""

import copy
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dlbricks.errors import CheckError, DlbricksError, InputError
from dlbricks.harness.cache_state import HOT_LOOP, LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.run.files import FORMAT, SCHEMA_VERSION
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.document import (
    SUBMISSION_FORMAT,
    SUBMISSION_SCHEMA_VERSION,
    read_document,
    read_file,
    read_versions,
)
from dlbricks.store.records import join_document, split_document
from dlbricks.store.submission import check, digest_of, prepare, submit
from dlbricks.store.summary import configuration, measurements
from dlbricks.store.types import FORMER_STATES
from dlbricks.suite.manifest import from_document
from dlbricks.typed_json import canonical_json, digest_bytes
from tests.store.made_up_run import document, former_version, median_of, settled, suite
from tests.store.stored import QUEUE, queue_times, without_origins

_CLEAN = document(sequences=2)
_SUITE = suite(sequences=2)
_BYTES = json.dumps(_CLEAN).encode()


def test_what_is_written_is_read() -> None:
    """Reading gives the document back."""
    assert read_document(_BYTES) == _CLEAN


def test_version_2_is_read_and_keeps_its_identity(tmp_path: Path) -> None:
    """Output digests and states have their names of today; the digest and the stored data are those of the file."""
    older = former_version(_CLEAN)
    data = json.dumps(older).encode()
    assert {visit["state"] for row in older["benchmarks"] for visit in row["visits"]} == set(FORMER_STATES)
    assert read_versions(data) == (older, _CLEAN)
    assert digest_of(data) == digest_bytes(canonical_json(older)) != digest_of(_BYTES)
    with ResultStore.open(str(tmp_path / "store.sqlite"), create=True, hook=TrustHook()) as store:
        receipt = submit(store, data, suite=_SUITE)
        assert (receipt.digest, receipt.new) == (digest_of(data), True)
        assert not submit(store, data).new
        assert store.document(receipt.digest) == canonical_json(older)
        # a copy under another name is found in whatever version it is
        older["system"]["name"] = _CLEAN["system"]["name"] + "-2"
        for version in (older, read_document(json.dumps(older).encode())):
            with pytest.raises(CheckError, match="DB807"):
                submit(store, json.dumps(version).encode())
    with (
        ResultStore.open(str(tmp_path / "other.sqlite"), create=True) as store,
        pytest.raises(CheckError, match="DB202"),
    ):
        submit(store, data)


@pytest.mark.parametrize("damage", [None, [], [3], [{}], [{"visits": 3}], [{"visits": [3, {"state": []}, {}]}]])
def test_damaged_documents_of_version_2_are_refused(damage: object) -> None:
    """In one line, as those of the current version."""
    with pytest.raises(InputError, match=r"^the result: "):
        read_document(json.dumps(former_version(_CLEAN) | {"benchmarks": damage, "timing": None}).encode())


def test_the_format_is_that_of_the_harness() -> None:
    """The harness, which has a writer of its own, writes what is read here."""
    assert (SUBMISSION_FORMAT, SUBMISSION_SCHEMA_VERSION) == (FORMAT, SCHEMA_VERSION)


def test_times_of_a_queue_are_summarised() -> None:
    """What the harness says of host and device, for each sequence and for the machine, is what a store takes in."""
    made = document(sequences=2)
    made["queue"] = dataclasses.asdict(QUEUE)
    names = [entry["fingerprint"] for entry in made["benchmarks"] if entry["role"] == "sequence"]
    rows = {entry["fingerprint"]: entry for entry in made["benchmarks"]}
    rows[names[0]]["queue"] = dataclasses.asdict(queue_times(3))
    found = measurements(read_document(json.dumps(made).encode()))
    assert found.queue == QUEUE
    assert [found.measurements[name].queue for name in names] == [queue_times(3), None]


def test_a_figure_of_a_queue_lies_in_its_interval() -> None:
    """What does not is refused with its place."""
    made = document(sequences=2)
    made["benchmarks"][5]["queue"] = dataclasses.asdict(queue_times(3)) | {"host_low_ns": 7_000}
    with pytest.raises(InputError, match=r"benchmarks\[5\]\.queue.*host_ns is outside host_low_ns to host_high_ns"):
        read_document(json.dumps(made).encode())


_SAMPLE = ("benchmarks", 2, "visits", 0, "samples_ns", 2)
_LISTED = ("suite", "manifest", "benchmarks", 2)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (_SAMPLE, -5, "benchmarks[2].visits[0].samples_ns[2] is -5, expected int >= 0"),
        (_SAMPLE, 5.5, "benchmarks[2].visits[0].samples_ns[2] is 5.5, expected int, got float"),
        (_SAMPLE, 5.0, "benchmarks[2].visits[0].samples_ns[2] is 5.0, expected int, got float"),
        (_SAMPLE, True, "benchmarks[2].visits[0].samples_ns[2] is True, expected int, got bool"),
        (_SAMPLE, 2**63, "is 9223372036854775808, expected int <= 9007199254740991"),
        (_SAMPLE[:-1], [], "benchmarks[2].visits[0].samples_ns: expected array of length >= 1"),
        (
            ("benchmarks", 0, "role"),
            "boss",
            "benchmarks[0].role is 'boss', expected str that is one of sequence",
        ),
        (("benchmarks", 0, "fingerprint"), "xyz", "benchmarks[0].fingerprint is 'xyz', expected str matching"),
        (
            ("benchmarks", 0, "output_digests", 0, "samples", 5),
            "x",
            "benchmarks[0].output_digests[0].samples[5] is 'x', expected",
        ),
        (
            ("benchmarks", 0, "output_digests", 0, "shape"),
            [1] * 17,
            "output_digests[0].shape: expected array of length <= 16",
        ),
        (("benchmarks", 0), {}, "benchmarks[0]: the field 'fingerprint' is missing"),
        (("schema_version",), "2", "schema_version is '2', expected int, got str"),
        (
            ("benchmarks", 4, "visits", 3, "state"),
            "hot",
            "benchmarks[4].visits[3].state is 'hot', expected str",
        ),
        (("benchmarks", 4, "visits", 3), {}, "benchmarks[4].visits[3]: the field 'start_ns' is missing"),
        (("benchmarks", 4, "importance"), 0, "benchmarks[4].importance is 0, expected float > 0"),
        (("system", "name"), "two\nlines", "system.name is 'two\\nlines', expected str matching"),
        (("system", "name"), "lab\n", "system.name is 'lab\\n', expected str matching"),
        (("system", "facts_before", "timer_ns"), 0.5, "system.facts_before.timer_ns is 0.5, expected int, got float"),
        (("runtime", "threads"), 0, "runtime.threads is 0, expected int >= 1"),
        (("suite", "manifest", "name"), 3, "suite.manifest: name is 3, expected str, got int"),
        ((*_LISTED, "reference", 0, "norm1"), "big", "benchmarks[2].reference[0].norm1 is 'big', expected"),
        ((*_LISTED, "operators"), ["Conv", "Two Words"], "benchmarks[2].operators[1] is 'Two Words', expected"),
        ((*_LISTED, "outputs", 0, "shape"), [1] * 17, "outputs[0].shape: expected array of length <= 16"),
    ],
)
def test_messages_name_the_place(path: tuple[str | int, ...], value: object, said: str) -> None:
    """A value that the schema does not allow is named by its place and said in few words."""
    made: Any = copy.deepcopy(_CLEAN)
    _put(made, path, value)
    with pytest.raises(InputError) as raised:
        read_document(json.dumps(made).encode())
    assert said in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not valid JSON, or is truncated"),
        (b"\x80\x04", "is not valid JSON"),
        (b"PK\x03\x04 zip", "not valid JSON, or is truncated"),
        (b"[]", "not a JSON object"),
        (b"{}", "a run (dlbricks-submission): it states no format; 'dlbricks run' writes one"),
        (
            b'{"format": "dlbricks-suite"}',
            "a run (dlbricks-submission): its format is 'dlbricks-suite'; 'dlbricks run'",
        ),
        (b'{"format": "dlbricks-submission", "schema_version": 5}', "newer dlbricks: schema version 5"),
        (
            b'{"format": "dlbricks-submission", "schema_version": 1}',
            "older dlbricks: schema version 1, this one reads 2 to 4; generate the suite again and run it with its new",
        ),
        (b'{"format": "dlbricks-submission", "schema_version": "2"}', "schema_version is '2', expected int, got str"),
        (
            b'{"format": "dlbricks-submission", "schema_version": 2, "suite": {}}',
            "the run is not finished: continue it with",
        ),
        (b'{"format": NaN}', "invalid character"),
        (b'{"format": 1e999}', "number out of range"),
        (b'{"format": ' + b"9" * 5000 + b"}", "is too large for an integer of 64 bits"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": "\\ud800"}', "is not valid JSON"),
    ],
)
def test_other_files(data: bytes, said: str) -> None:
    """What is no submission is refused in one line."""
    with pytest.raises(InputError) as raised:
        read_document(data)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and a folder are named."""
    with pytest.raises(InputError, match=r"cannot read result .*none\.json: No such file"):
        read_file(tmp_path / "none.json")
    with pytest.raises(InputError, match="Is a directory"):
        read_file(tmp_path)
    (tmp_path / "result.json").write_bytes(b"x")
    assert read_file(tmp_path / "result.json") == b"x"


def _put(made: Any, path: tuple[str | int, ...], value: object) -> None:
    for step in path[:-1]:
        made = made[step]
    made[path[-1]] = value


def _paths(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Walk over all places, long lists by their first two items."""
    steps = node.items() if isinstance(node, dict) else enumerate(node[:2]) if isinstance(node, list) else ()
    for step, child in steps:
        yield (*path, step)
        yield from _paths(child, (*path, step))


_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 5.5, -0.0, 2**53 - 1, 2**63 - 1, 2**63, 10**400, 1e308, 1e-320),
    *("", "x", "x\n", "nan", "inf", "\ud800", "\x00", "a\nb", "9" * 300, "[red]"),
    *([], [[]], [None], ["x"], [-1], {}, {"x": 1}, {"": None}),
)
_PATHS = tuple(_paths(_CLEAN))


def _use(data: bytes) -> None:
    """Do with a file all that is ever done with one."""
    found = read_document(data)
    check(found)
    measurements(found)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.registry.register(found["suite"]["manifest"])
        receipt = submit(store, data)
        assert json.loads(store.document(receipt.digest)) == found
        (
            store.systems(),
            store.history.submissions(),
            store.query(),
            store.results(SystemQuery(system=found["system"]["name"])),
        )


@given(st.lists(st.tuples(st.sampled_from(_PATHS), st.sampled_from(_ODD)), min_size=1, max_size=2))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_odd_values_anywhere(changes: list[tuple[tuple[str | int, ...], Any]]) -> None:
    """Whatever value stands wherever, a file is used or refused in one line."""
    made: Any = copy.deepcopy(_CLEAN)
    for path, value in changes:
        try:
            _put(made, path, copy.deepcopy(value))
        except (KeyError, TypeError, IndexError):
            continue
    try:
        _use(json.dumps(made).encode())
    except DlbricksError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1500


@given(st.integers(0, len(_BYTES) - 1))
@settings(max_examples=60, deadline=None)
def test_cut_off_anywhere(length: int) -> None:
    """A file that is cut off anywhere is refused in one line."""
    with pytest.raises(InputError) as raised:
        _use(_BYTES[:length])
    assert "\n" not in str(raised.value)


@given(st.lists(st.tuples(st.integers(0, len(_BYTES) - 1), st.integers(0, 255)), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_wrong_bytes_anywhere(changes: list[tuple[int, int]]) -> None:
    """Whatever bytes of a file are wrong, it is used or refused in one line."""
    data = bytearray(_BYTES)
    for place, byte in changes:
        data[place] = byte
    try:
        _use(bytes(data))
    except DlbricksError as error:
        assert "\n" not in str(error)


def test_spaces_and_order_are_no_content() -> None:
    """The digest of a submission is that of its content: a file that was formatted anew is the same submission."""
    shuffled = dict(reversed(_CLEAN.items()))
    again = json.dumps(shuffled, indent=3).encode()
    assert prepare(_BYTES)[0] == prepare(again)[0]
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        assert [submit(store, data, suite=_SUITE).new for data in (_BYTES, again)] == [True, False]


def test_split_and_join() -> None:
    """A document is the same after its manifest was taken out and put back."""
    manifest, body = split_document(_CLEAN)
    digest = prepare(_BYTES)[0].digest
    assert json.loads(join_document(body, manifest, digest=digest)) == _CLEAN
    for parts in ((body, b"{}"), (b"{}", manifest), (b"[", manifest)):
        with pytest.raises(InputError):
            join_document(*parts, digest=digest)


def test_submitting_stores_the_statistics() -> None:
    """What a store answers is what the samples give: sequences only, the overhead apart."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        receipt = submit(store, _BYTES, suite=_SUITE)
        results = store.results(SystemQuery(system="quiet-9000"))
        (listed,) = store.history.submissions()
    rows = {row["fingerprint"]: row for row in _CLEAN["benchmarks"]}
    listed_in_suite = {row["fingerprint"]: row for row in _CLEAN["suite"]["manifest"]["benchmarks"]}
    assert without_origins(results) == measurements(_CLEAN)
    assert receipt.results == len(results.measurements) == 2
    assert receipt.findings == ()
    assert (listed.digest, listed.severity, listed.trust, listed.complete) == (
        receipt.digest,
        "clean",
        "self-reported",
        True,
    )
    for name, found in results.measurements.items():
        row, contract = rows[name], listed_in_suite[name]
        assert row["role"] == "sequence"
        medians = {state: round(median_of(row, state)) for state in (LLC_WARM, WEIGHTS_COLD)}
        assert (found.llc_warm_ns, found.weights_cold_ns) == tuple(medians.values())
        assert found.low_ns <= found.latency_ns == found.weights_cold_ns <= found.high_ns
        assert found.samples == sum(len(visit["samples_ns"]) for visit in row["visits"])
        assert (found.verdict, found.wall_ns) == (row["verdict"]["kind"], row["wall_ns"])
        features = results.features[name]
        assert (features.operators, features.flops) == (tuple(contract["operators"]), contract["flops"])
        assert features.weight_bytes == contract["weight_bytes"]
        assert features.input_bytes + features.output_bytes == contract["activation_bytes"]
    overhead = next(row for row in rows.values() if row["role"] == "overhead")
    over = results.overheads
    assert results.call_overhead_ns == over.hot_loop_ns == round(median_of(overhead, HOT_LOOP))
    of_states = (over.llc_warm_ns, over.weights_cold_ns)
    assert of_states == tuple(round(median_of(overhead, state)) for state in (LLC_WARM, WEIGHTS_COLD))


def test_calls_back_to_back_stand_for_every_state() -> None:
    """Where only repeated calls were made, as on an accelerator, they are what is known of all states."""
    made = copy.deepcopy(_CLEAN)
    for row in made["benchmarks"]:
        for visit in row["visits"]:
            visit.update(state="hot_loop", distance_bytes=0)
    results = measurements(settled(made))
    for found in results.measurements.values():
        assert {found.llc_warm_ns, found.weights_cold_ns} == {found.latency_ns}
    over = results.overheads
    assert {over.llc_warm_ns, over.weights_cold_ns} == {results.call_overhead_ns}
    assert results.caches.curve == ()


def test_features_that_a_suite_says() -> None:
    """Kinds and figures of sequences come from the manifest where it has them."""
    made = copy.deepcopy(_CLEAN)
    first, second = made["suite"]["manifest"]["benchmarks"][-2:]
    first |= {"kinds": ["product float32"], "shape": [4, 5], "work": 6, "fetched_bytes": 7}
    for name in ("kinds", "shape", "work", "fetched_bytes"):
        del second[name]
    features = measurements(made).features
    said = [
        (one.kinds, one.shape, one.work, one.fetched_bytes)
        for one in (features[row["fingerprint"]] for row in (first, second))
    ]
    assert said == [(("product float32",), (4, 5), 6, 7), ((), (), 0, 0)]


def test_other_roles_can_be_asked_for() -> None:
    """Anchors and the overhead are measurements too for who asks for them."""
    found = measurements(_CLEAN, roles=("anchor", "overhead"))
    assert len(found.measurements) == 4
    assert found.call_overhead_ns == measurements(_CLEAN).call_overhead_ns


def test_what_breaks_a_rule_is_not_stored() -> None:
    """A submission that a rule of severity error refuses leaves the store as it was."""
    made = copy.deepcopy(_CLEAN)
    made["timing"]["timed_ns"] += 1
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        with pytest.raises(CheckError, match=r"refused: DB410 timing\.timed_ns: [^()]*$"):
            submit(store, json.dumps(made).encode(), suite=_SUITE)
        assert store.history.submissions() == ()


def test_a_partial_one_is_stored_with_a_warning() -> None:
    """A run that was broken off is taken in, marked as what it is."""
    made = copy.deepcopy(_CLEAN)
    row = made["benchmarks"][-1]
    made["timing"]["timed_ns"] -= sum(sum(visit["samples_ns"]) for visit in row["visits"])
    row |= {"status": "not run", "reason": "out of time", "visits": [], "output_digests": []}
    made["complete"] = False
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        receipt = submit(store, json.dumps(made).encode(), suite=_SUITE)
        assert [finding.rule for finding in receipt.findings] == ["DB208"]
        assert receipt.results == 1
        (listed,) = store.history.submissions()
        assert (listed.complete, listed.severity) == (False, "warning")


def test_a_smoke_test_does_not_count_as_complete() -> None:
    """A smoke test that comes after a full run does not take its place."""
    made = document(sequences=2, seed=1)
    made["options"]["smoke"] = True
    made["started_unix_ns"] += 10**9
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        assert submit(store, json.dumps(made).encode(), suite=_SUITE).new
        assert submit(store, _BYTES, suite=_SUITE).new
        assert without_origins(store.results(SystemQuery(system="quiet-9000"))) == measurements(_CLEAN)
        assert [each.complete for each in store.history.submissions()] == [False, True]


def test_a_recorded_run() -> None:
    """A real run (``record_submission.py`` made it) is read, breaks no rule of severity error, and can be stored."""
    data = (Path(__file__).parents[1] / "data" / "submission_smoke.json").read_bytes()
    assert {finding.rule for finding in check(read_document(data)) if finding.severity == "error"} == set()
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        receipt = submit(store, data, suite=from_document(json.loads(data)["suite"]["manifest"]))
        results = store.results(SystemQuery(system="recorded-for-tests"))
    assert receipt.results == len(results.measurements) > 3
    assert 0 < results.call_overhead_ns < min(each.latency_ns for each in results.measurements.values())


def test_a_slice_of_a_gpu_is_another_configuration() -> None:
    """Whatever its owner calls the system; the slice stands among the options, as the harness names it."""
    made = document(sequences=2)
    made["runtime"] |= {"provider": "cuda", "providers": ["CUDAExecutionProvider"]}
    gpu = {"name": "NVIDIA H200", "compute_capability": 9.0, "mig": "Disabled"}
    whole, named, unnamed = (
        {
            **made,
            "system": {**made["system"], "facts_before": {**made["system"]["facts_before"], "gpus": [gpu | change]}},
        }
        for change in ({}, {"name": "NVIDIA H200 MIG 1g.18gb", "mig": "Enabled"}, {"mig": "Enabled"})
    )
    first, *others = (configuration(one) for one in (whole, named, unnamed))
    options = [dict(one.split("=") for one in each.options) for each in (first, *others)]
    assert [each.get("mig") for each in options] == [None, "1g.18gb", "unknown"]
    assert dataclasses.replace(others[0], options=first.options) == first
