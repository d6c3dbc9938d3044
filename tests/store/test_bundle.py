"""A bundle answers what its store does, for whoever has the file; a damaged or forged one is refused in a line."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dlbricks.errors import CheckError, InputError
from dlbricks.plugins.trust.signing import sign
from dlbricks.settings import SystemQuery
from dlbricks.store.bundle import Bundle, publish
from dlbricks.store.database import ResultStore
from dlbricks.store.history import signer_of
from tests.store.stored import configuration, fingerprint, submission


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Publish three configurations, one with a queue, and keep the store beside."""
    place = tmp_path / "all.parquet"
    with ResultStore.open(str(tmp_path / "s.sqlite"), create=True) as store:
        store.add(submission(range(15), started=1))
        store.add(submission(range(10, 20), started=2, latency_ns=70_000))
        store.add(submission(range(5), started=3, of=configuration(threads=4)))
        store.add(submission(range(12), started=4, of=configuration("device", provider="cuda"), asynchronous=True))
        hidden = submission(range(5), started=5, of=configuration("gone"))
        store.add(hidden)
        store.history.withdraw(hidden.digest, "a fan was off")
        assert len(publish(store, place).systems) == 3
    return place


def test_a_bundle_answers_what_its_store_does(bundle: Path, tmp_path: Path) -> None:
    """All figures, origins, features, and how suites were split; nothing that was withdrawn."""
    found = Bundle.open(bundle, signer_of)
    wanted = [fingerprint(number) for number in range(3, 99)]
    with ResultStore.open(str(tmp_path / "s.sqlite")) as store:
        for one in store.systems():
            asked = SystemQuery(
                system=one.configuration.system, threads=one.configuration.threads, provider=one.configuration.provider
            )
            whole = store.results(asked)
            assert found.results_each(asked, [None])[0] == whole
            assert {name: one.origin for name, one in found.results_each(asked, [None])[0].measurements.items()} == {
                name: one.origin for name, one in whole.measurements.items()
            }
            assert found.results_each(asked, [wanted])[0] == store.results(asked, fingerprints=wanted)
            assert found.split_settings(one.configuration.system) == store.split_settings(one.configuration.system)
        with pytest.raises(InputError, match="has no results of system gone"):
            found.results_each(SystemQuery(system="gone"), [None])


def test_groups_of_fingerprints_are_answered_as_one_after_the_other(bundle: Path, tmp_path: Path) -> None:
    """Each with the drift and the facts of the submissions that it uses, whatever the others use; None is all."""
    groups = [{fingerprint(1)}, {fingerprint(number) for number in range(9, 12)}, None, {fingerprint(99)}]
    asked = SystemQuery(system="lab", threads=1)
    with ResultStore.open(str(tmp_path / "s.sqlite"), create=True) as store:
        late = submission(range(9), started=10**16, latency_ns=90_000)
        store.add(replace(late, results=replace(late.results, drift=0.5)))
        for given in (groups, groups[:2]):
            for holder in (store, Bundle.open(bundle, signer_of)):
                assert holder.results_each(asked, given) == [holder.results_each(asked, [one])[0] for one in given]
        drifts = [one.drift for one in store.results_each(asked, groups)]
        assert drifts == [0.5, 0.0, 0.5, 0.0]


def test_others_read_it_as_it_is(bundle: Path) -> None:
    """One query says what each system takes for a sequence."""
    query = "SELECT system, threads, latency_ns FROM read_parquet(?) WHERE fingerprint = ? ORDER BY ALL"
    found = duckdb.connect().execute(query, [str(bundle), fingerprint(11)]).fetchall()
    assert found == [
        ("device", 1, 100_000),
        ("lab", 1, 70_000),
    ]


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")
def test_a_signature_holds_or_the_bundle_is_refused(bundle: Path, tmp_path: Path) -> None:
    """A byte that was changed, and a signature of another file, are told."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)
    assert Bundle.open(bundle, signer_of).key == ""
    signature = bundle.with_name("all.parquet.sig")
    signature.write_text(sign(bundle.read_bytes(), tmp_path / "key"))
    assert Bundle.open(bundle, signer_of).key.startswith("SHA256:")
    data = bytearray(bundle.read_bytes())
    data[100] ^= 1
    bundle.write_bytes(data)
    with pytest.raises(CheckError, match="signature is not valid"):
        Bundle.open(bundle, signer_of)


@pytest.mark.parametrize(
    "damage",
    [
        "absent",
        "text",
        "cut",
        "another table",
        "no UTF-8",
        "head",
        "version",
        "rows",
        "trust",
        "negative",
        "outside",
        "numbers",
    ],
)
def test_damaged_bundles(bundle: Path, damage: str) -> None:
    """Each is refused in a line that names the file."""
    if damage == "absent":
        bundle.unlink()
    elif damage == "text":
        bundle.write_text("PAR1 or not")
    elif damage == "cut":
        bundle.write_bytes(bundle.read_bytes()[:-9])
    elif damage == "another table":
        pq.write_table(pa.table({"a": [1]}), bundle)
    elif damage == "no UTF-8":
        bundle.write_bytes(bundle.read_bytes().replace(b"fingerprint", b"\xdbingerprint"))
    else:
        made = pq.read_table(bundle)
        head = made.schema.metadata[b"dlbricks"]
        head = head.replace(b'"drift"', b'"other"') if damage == "head" else head
        head = head.replace(b'"schema_version": 3', b'"schema_version": 9') if damage == "version" else head
        made = made.drop_columns(["llc_warm_ns"]) if damage == "rows" else made
        if damage == "trust":
            place = made.column_names.index("trust")
            made = made.set_column(place, "trust", pa.array(["certain"] * made.num_rows))
        others = {"negative": ("llc_warm_ns", -5), "outside": ("low_ns", 1 << 40), "numbers": ("features", 5)}
        if damage in others:
            name, value = others[damage]
            made = made.set_column(made.column_names.index(name), name, pa.array([value] * made.num_rows))
        pq.write_table(made.replace_schema_metadata({b"dlbricks": head}), bundle)
    with pytest.raises(InputError, match=r"all\.parquet"):
        Bundle.open(bundle, signer_of).results_each(SystemQuery(system="device"), [None])


def test_a_bundle_that_was_written_again_is_read_again(tmp_path: Path) -> None:
    """In one process, too."""
    place = tmp_path / "all.json.xz"
    with ResultStore.open(str(tmp_path / "s.sqlite"), create=True) as store:
        for number in (1, 2):
            store.add(submission(range(number), started=number))
            publish(store, place)
            (results,) = Bundle.open(place, signer_of).results_of_all()
            assert len(results.measurements) == number


def test_a_bundle_that_could_not_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line names the format that has no such limit."""
    monkeypatch.setattr("dlbricks.limits.DOCUMENT_BYTES", 1000)
    with ResultStore.open(str(tmp_path / "s.sqlite"), create=True) as store:
        store.add(submission(range(9), started=1))
        with pytest.raises(InputError, match=r"all\.json\.xz holds more than 1000 B: name a \.parquet file"):
            publish(store, tmp_path / "all.json.xz")
    assert not (tmp_path / "all.json.xz").exists()
