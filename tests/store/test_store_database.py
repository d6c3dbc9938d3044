"""The store keeps everything it took in, whole, and answers the same whatever order it came in."""

import contextlib
import itertools
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.types import Submission, SystemResults
from tests.store.stored import configuration, fingerprint, make_older, submission, without_origins

LAB = SystemQuery(system="lab")


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "store.sqlite")


@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_goes_in_comes_out(place: str, asynchronous: bool) -> None:
    """A store gives back the results of a submission exactly as they were summarised."""
    given_in = submission(range(5), asynchronous=asynchronous)
    with ResultStore.open(place, create=True) as store:
        assert store.add(given_in) is True
    with ResultStore.open(place) as store:
        assert without_origins(store.results(LAB)) == given_in.results


def test_the_same_twice_is_one(place: str) -> None:
    """Adding is idempotent: the second time says so and changes nothing but nothing."""
    with ResultStore.open(place, create=True) as store:
        assert store.add(submission(range(5)), received_unix_ns=1) is True
        before = store.history.submissions()
        assert store.add(submission(range(5)), received_unix_ns=2) is False
        assert store.history.submissions() == before
        assert len(store.query()) == 5


def test_only_what_is_asked_for_is_fetched(place: str) -> None:
    """Fingerprints that are asked for and unknown are left out; more than one statement holds are no matter."""
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(2500)))
        wanted = [fingerprint(number) for number in range(1000, 4000)]
        found = store.results(LAB, fingerprints=wanted).measurements
        assert set(found) == {fingerprint(number) for number in range(1000, 2500)}
        assert store.results(LAB, fingerprints=[]).measurements == {}


def test_complete_goes_before_newer(place: str) -> None:
    """Among several submissions the newest complete one wins; a partial one only fills gaps; query shows all."""
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(3), latency_ns=10_000, started=1))
        store.add(submission(range(3), latency_ns=20_000, started=2))
        store.add(submission(range(2, 5), latency_ns=30_000, started=3, complete=False))
        results = store.results(LAB)
        latencies = {number: results.measurements[fingerprint(number)].latency_ns for number in range(5)}
        assert latencies == {0: 20_000, 1: 20_000, 2: 20_000, 3: 30_000, 4: 30_000}
        assert results.call_overhead_ns == 20_000 // 50
        assert [row.measurement.latency_ns for row in store.query(fingerprint=fingerprint(2)[:16])] == [
            20_000,
            10_000,
            30_000,
        ]


_SUBMISSIONS = st.lists(
    st.builds(
        submission,
        st.builds(range, st.integers(0, 3), st.integers(3, 6)),
        latency_ns=st.integers(1000, 5000),
        of=st.builds(configuration, st.sampled_from(["lab", "cloud"]), threads=st.integers(1, 2)),
        started=st.integers(1, 3),
        complete=st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


@given(_SUBMISSIONS)
@settings(max_examples=20)
def test_order_does_not_matter(submissions: list[Submission]) -> None:
    """Whatever order submissions come in, and however often, the store answers the same."""
    answers = set()
    for order in itertools.islice(itertools.permutations(submissions), 6):
        with ResultStore.open("sqlite://", create=True) as store:
            for each in [*order, order[0]]:
                store.add(each, received_unix_ns=7)
            wanted = {each.results.configuration for each in submissions}
            results = [
                repr(store.results(SystemQuery(system=each.system, threads=each.threads, provider=each.provider)))
                for each in sorted(wanted, key=repr)
            ]
            answers.add(repr((store.systems(), store.history.submissions(), store.query(), results)))
    assert len(answers) == 1


def test_systems_are_listed_with_counts_and_dates(place: str) -> None:
    """One line per configuration, with its submissions, its sequences and the dates of its first and last run."""
    with ResultStore.open(place, create=True) as store:
        assert store.systems() == ()
        store.add(submission(range(3), started=5))
        store.add(submission(range(2, 6), started=9))
        store.add(submission(range(1), of=configuration("cloud", threads=4), started=7))
        store.add(submission(range(0), of=configuration("empty"), started=7))
        listed = [
            (each.configuration.system, each.submissions, each.sequences, each.first_unix_ns, each.last_unix_ns)
            for each in store.systems()
        ]
    assert listed == [("cloud", 1, 1, 7, 7), ("empty", 1, 0, 7, 7), ("lab", 2, 6, 5, 9)]


def test_query_filters(place: str) -> None:
    """Results can be asked for by fingerprint prefix, system and operator, and limited."""
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(4)))
        store.add(submission(range(4), of=configuration("cloud")))
        assert len(store.query()) == 8
        assert len(store.query(limit=3)) == 3
        assert {row.configuration.system for row in store.query(system="cloud")} == {"cloud"}
        assert len(store.query(operator="relu")) == 8
        assert store.query(operator="rel") == ()
        assert store.query(operator="%") == ()
        assert store.query(fingerprint="%") == ()
        assert {row.label.fingerprint for row in store.query(fingerprint=fingerprint(1)[:9])} == {fingerprint(1)}


def test_ambiguous_system(place: str) -> None:
    """A system of several configurations is refused with their list until the choice is made."""
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(1), latency_ns=1000))
        store.add(submission(range(1), latency_ns=2000, of=configuration(threads=4)))
        with pytest.raises(InputError, match=r"has 2 matching configurations \(.*threads 1; .*threads 4"):
            store.results(LAB)
        assert _only_latency(store.results(SystemQuery(system="lab", threads=4))) == 2000
        assert (
            _only_latency(store.results(SystemQuery(system="lab", threads=1, runtime="1.31.1", provider="cpu"))) == 1000
        )
        with pytest.raises(InputError, match=r"lab has no matching .* measured are .*threads 1; .*threads 4"):
            store.results(SystemQuery(system="lab", provider="cuda"))


def _only_latency(results: SystemResults) -> int:
    (measurement,) = results.measurements.values()
    return measurement.latency_ns


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "it is empty, submit a result first"),
        (("epyc-9654", "xeon-8480", "grace"), "similar names are epyc-9654"),
        (("a1", "b1", "c1", "d1", "e1", "f1"), "choose from a1, b1, c1, d1, e1 and 1 more"),
    ],
)
def test_unknown_system(place: str, names: tuple[str, ...], said: str) -> None:
    """An unknown name is answered by close ones, or by what there is."""
    with ResultStore.open(place, create=True) as store:
        for name in names:
            store.add(submission(range(1), of=configuration(name)))
        with pytest.raises(InputError, match=f"has no results of system epyc-9655: {said}"):
            store.results(SystemQuery(system="epyc-9655"))


def test_a_store_is_made_only_when_asked(tmp_path: Path) -> None:
    """Reading from a store that is not there says so and leaves no file; submitting makes its folders too."""
    place = tmp_path / "deep" / "er" / "store.sqlite"
    with pytest.raises(InputError, match=f"store {place} does not exist: 'dlbricks submit' creates it"):
        ResultStore.open(str(place))
    assert list(tmp_path.iterdir()) == []
    ResultStore.open(str(place), create=True).close()
    ResultStore.open(f"sqlite:///{place}").close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE meta SET value = value + 1 WHERE key = 'schema_version'",
            r"made by a newer dlbricks \(store version 17, this one reads 16\): update",
        ),
        (
            "UPDATE meta SET value = 3 WHERE key = 'schema_version'",
            r"\(store version 3, this one reads 16\): name another store, run the suites",
        ),
        ("DELETE FROM meta WHERE key = 'schema_version'", "has no valid version"),
        ("DELETE FROM meta WHERE key = 'format'", "is a database, but not a dlbricks store"),
        ("DROP TABLE meta", "is a database, but not a dlbricks store"),
    ],
)
def test_another_database_is_refused(place: str, statement: str, said: str) -> None:
    """A store of another version, and tables of something else, are refused in one line and not written to."""
    ResultStore.open(place, create=True).close()
    with contextlib.closing(sqlite3.connect(place)) as connection, connection:
        connection.execute(statement)
    with pytest.raises(InputError, match=said):
        ResultStore.open(place, create=True)


@pytest.mark.parametrize("version", [4, 5, 6, 7, 8, 9, 10, 11])
def test_an_older_store_is_brought_up_to_date(place: str, version: int) -> None:
    """A store with columns of former cache states, and without events, answers as before and takes in more."""
    old, new = submission(range(3)), submission(range(2, 5), started=2, asynchronous=True)
    smoke = submission(range(4), started=3, complete=False, body=b'{"options": {"smoke": true}}')
    with ResultStore.open(place, create=True) as store:
        store.add(old)
        store.add(smoke)
        expected, listed = store.results(LAB), store.query()
    make_older(f"sqlite:///{place}", version)
    with ResultStore.open(place) as store:
        assert (without_origins(store.results(LAB)), store.query()) == (without_origins(expected), listed)
        assert [(one.digest, one.smoke) for one in store.history.submissions()] == [
            (smoke.digest, True),
            (old.digest, False),
        ]
        assert store.add(new)
        assert set(store.results(LAB).measurements) == {fingerprint(number) for number in range(5)}
        assert store.history.withdraw(new.digest, "too hot")[1]
    with contextlib.closing(sqlite3.connect(place)) as connection:
        there = {row[1] for row in connection.execute("PRAGMA table_info(submissions)")}
    ResultStore.open(f"{place}.new", create=True).close()
    with contextlib.closing(sqlite3.connect(f"{place}.new")) as connection:
        assert there == {row[1] for row in connection.execute("PRAGMA table_info(submissions)")}


def test_an_empty_file_is_no_store_yet(place: str) -> None:
    """An empty file becomes a store when one is to be made, and is refused otherwise."""
    Path(place).touch()
    with pytest.raises(InputError, match="is not a dlbricks store"):
        ResultStore.open(place)
    ResultStore.open(place, create=True).close()
    ResultStore.open(place).close()


_OPEN = """
import sys
from dlbricks.store.database import ResultStore
ResultStore.open(sys.argv[1], create=True).close()
"""


def test_many_may_make_the_store_at_once(place: str) -> None:
    """Processes that make the same store at the same time all succeed."""
    makers = [subprocess.Popen([sys.executable, "-c", _OPEN, place]) for _ in range(4)]
    assert [maker.wait() for maker in makers] == [0, 0, 0, 0]
    ResultStore.open(place).close()


def test_a_writer_waits_for_another_and_then_says_so(place: str) -> None:
    """While another process writes, a writer waits; when it has waited enough it says so in one line."""
    with ResultStore.open(place, create=True, wait_s=0.1) as store:
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="another process is writing to it; try again"):
            store.add(submission(range(3)))
        assert store.query() == ()
        other.execute("COMMIT")
        other.close()
        assert store.add(submission(range(3))) is True


def test_what_is_withdrawn_is_kept_and_not_used(place: str) -> None:
    """A withdrawn run answers nothing, older ones answer again; the fact stays, and restoring is one more fact."""
    old = submission(range(3), latency_ns=10_000, started=1)
    new = submission(range(4), latency_ns=20_000, started=2)
    alone = submission(range(2), of=configuration("cloud"), started=3)
    with ResultStore.open(place, create=True) as store:
        for one in (old, new, alone):
            store.add(one)
        assert store.history.withdraw(new.digest[:20], "the fan\nwas off")[1] is True
        assert store.history.withdraw(new.digest, "again")[1] is False
        store.history.withdraw(alone.digest, "a typing error in its name")
    with ResultStore.open(place) as store:
        assert without_origins(store.results(LAB)) == old.results
        assert {row.submission for row in store.query()} == {old.digest}
        assert [(one.configuration.system, one.submissions, one.sequences) for one in store.systems()] == [
            ("lab", 1, 3)
        ]
        with pytest.raises(InputError, match=r"uses no result of system cloud: .* withdrawn on 2.* \(a typing error"):
            store.results(SystemQuery(system="cloud"))
        assert store.split_settings("cloud") == ()
        why = {one.digest: one.withdrawn and one.withdrawn.reason for one in store.history.submissions()}
        assert why == {old.digest: None, new.digest: "the fan was off", alone.digest: "a typing error in its name"}
        assert store.history.withdraw(new.digest, "it was on", restore=True)[1] is True
        assert without_origins(store.results(LAB)) == new.results
        with contextlib.closing(sqlite3.connect(place)) as connection:
            kinds = [kind for (kind,) in connection.execute("SELECT kind FROM events ORDER BY id")]
        assert kinds == ["withdrawn", "withdrawn", "restored"]


def test_what_cannot_be_withdrawn_is_said(place: str) -> None:
    """A digest of nothing, one of several, and a withdrawal without a reason are refused."""
    with ResultStore.open(place, create=True) as store:
        made = [submission(range(1), started=number) for number in range(40)]
        for one in made:
            store.add(one)
        shared = next(a.digest[0] for a in made for b in made if a is not b and a.digest[0] == b.digest[0])
        for prefix, said in (("zz", "no result"), ("", "no result"), (shared, r"\d+ results whose digests begin")):
            with pytest.raises(InputError, match=said):
                store.history.withdraw(prefix, "why not")
        with pytest.raises(InputError, match="reason"):
            store.history.withdraw(made[0].digest, "  ")
