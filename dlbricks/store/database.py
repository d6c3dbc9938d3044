"""Opens stores, which are databases of submissions, adds submissions and answers queries.

A submission that is added twice is stored once (by its digest); answers do not depend on the order of arrival. Rows are
never deleted. A withdrawn submission, or one under an embargo, is not used. The name of a system belongs to the first
key that signed a result of the system (``history``).

If a configuration has several submissions, each value comes from the best submission with this value (``records``);
``query`` lists all measurements.
"""

import functools
import json
import time
import zlib
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from sqlalchemy import Row, case, func, inspect, select, update

from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery
from dlbricks.store import history, queries, records, standing, tables
from dlbricks.store.history import StoreHook
from dlbricks.store.queries import CONFIGURATION, IN_USE, select_measurements
from dlbricks.store.spread import LEAST_PAIRS, Spread, default_spread, differences, kind_of, learned
from dlbricks.store.tables import configurations, insert_or_ignore, meta, results, sequences, submissions, suites
from dlbricks.store.types import (
    TIERS,
    UNCONFIRMED,
    SequenceLabel,
    Signed,
    Standing,
    StoredResult,
    Submission,
    SubmissionSummary,
    SuiteSettings,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)
from dlbricks.units import format_day

STORE_FORMAT = "dlbricks-store"
# A signed submission is of tier consistent if its worst finding has one of these severities.
_QUIET = ("clean", "info")
# Number of newest runs of a configuration that form pairs: a limit, so that one system does not outweigh the others.
_PAIRED_RUNS = 6


class ResultStore:
    """An open store; use ``ResultStore.open`` in a ``with`` statement.

    Every method raises ``InputError`` if the database reports an error or a row is damaged.
    """

    __slots__ = ("database", "history", "hook", "names", "place", "registry")

    def __init__(self, database: tables.Database, hook: StoreHook[Any] | None) -> None:
        """Wrap a database; ``open`` opens a store by its URL."""
        self.database, self.place, self.hook = database, database.place, hook
        self.history = history.SubmissionHistory(database)
        self.names = history.NameOwners(database)
        self.registry = history.SuiteRegistry(database)

    @classmethod
    def open(cls, url: str, *, create: bool = False, wait_s: float = 30.0, hook: StoreHook[Any] | None = None) -> Self:
        """Open the store at a URL, as in ``postgresql+psycopg://host/name``, or at the path of a SQLite file.

        A store of an older version is upgraded. SQLite waits up to ``wait_s`` seconds for another writer. Without
        ``hook`` (``history.installed_hook``), the store is read-only if names have owners, and refuses signed results.
        """
        parsed = tables.parse_url(url)
        engine = tables.connect(parsed, create=create, wait_s=wait_s)
        store = cls(tables.Database(engine, tables.place_of(parsed), verifies=hook is not None), hook)
        try:
            store._initialise(create=create)
        except InputError:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close all connections."""
        self.database.engine.dispose()

    def __enter__(self) -> Self:
        """Enter a ``with`` statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    def add(
        self,
        submission: Submission,
        *,
        signed: Signed | None = None,
        received_unix_ns: int | None = None,
        embargo_unix_ns: int | None = None,
        provisional: bool = False,
    ) -> bool:
        """Add a checked result, and return True; for a stored result, record only its embargo, and return False.

        The key of ``signed`` becomes the owner of the system's name. Raises ``CheckError`` if the name belongs to
        another key, or if it has an owner and the submission is not signed.
        """
        received_unix_ns = time.time_ns() if received_unix_ns is None else received_unix_ns
        key, digest = signed.key if signed else "", submission.digest
        trust = records.CONSISTENT if signed and submission.severity in _QUIET else records.SELF_REPORTED
        row = {
            "digest": digest,
            "suite": submission.suite_digest,
            "started_unix_ns": min(submission.started_unix_ns, received_unix_ns),
            "received_unix_ns": received_unix_ns,
            "complete": submission.complete,
            "smoke": submission.smoke,
            "severity": submission.severity,
            "trust": trust,
            **records.machine_columns(submission.results),
            "results": len(submission.labels),
        }
        manifest = zlib.compress(submission.manifest, level=3)
        with self.database.writing() as connection:
            stored = connection.execute(select(submissions.c.id).where(submissions.c.digest == digest)).first()
            if key or embargo_unix_ns is not None or stored is None:
                history.claim_name(connection, submission.results.configuration.system, key, received_unix_ns)
            suite = {"digest": submission.suite_digest, "name": submission.suite, "manifest": manifest}
            connection.execute(insert_or_ignore(connection, suites), suite)
            row["body"] = zlib.compress(history.body_to_store(connection, submission), level=3)
            row["profile"] = records.profile_of(json.loads(submission.body), submission.results.measurements.values())
            row["configuration"] = queries.configuration_id(connection, submission.results.configuration)
            inserted = insert_or_ignore(connection, submissions).returning(submissions.c.id)
            number = connection.execute(inserted, row).scalar_one_or_none()
            add_event = functools.partial(
                self.history.add_event, connection, digest, reason="as submitted", recorded_unix_ns=received_unix_ns
            )
            if embargo_unix_ns is not None:
                add_event(queries.EMBARGO, until_unix_ns=embargo_unix_ns)
            if number is not None:
                queries.insert_results(connection, number, submission)
            if number is not None and provisional:
                add_event(records.PROVISIONAL)
            if signed is not None and history.keep_signature(connection, digest, signed) and number is None:
                for former in TIERS[:2]:  # higher tiers stay: a signature does not give them
                    unsigned = (submissions.c.digest == digest, submissions.c.trust == former)
                    tier = records.trust_after(former, trust)
                    connection.execute(update(submissions).where(*unsigned).values(trust=tier))
        return number is not None

    def systems(self) -> tuple[SystemSummary, ...]:
        """Return a summary of each configuration, by name; withdrawn and embargoed results do not count."""
        rows = self.database.rows(queries.select_systems(self.unconfirmed()))
        settings: dict[SystemConfiguration, dict[SuiteSettings, None]] = {}
        for system in {row.system for row in rows}:
            for configuration, split in self._settings(system):
                settings.setdefault(configuration, {})[split] = None
        newest = select(func.max(submissions.c.id)).where(IN_USE).group_by(submissions.c.configuration)
        facts = select(submissions.c.configuration, submissions.c.profile).where(submissions.c.id.in_(newest))
        profiles = dict(self.database.read(lambda row: (row.configuration, row.profile), facts))
        with records.refusing_damage(self.place):
            by_configuration = {records.configuration_of(row): row for row in rows}
            return tuple(
                records.system_summary_of(
                    row,
                    tuple(settings.get(configuration, ())),
                    records.processor_of(profiles.get(row.id, ""), configuration.provider),
                )
                for configuration, row in sorted(by_configuration.items(), key=lambda item: item[0])
            )

    def document(self, digest: str) -> bytes:
        """Return a stored result as canonical JSON; raises ``InputError`` for an unknown digest."""
        query = (
            select(submissions.c.body, suites.c.manifest)
            .join(suites, submissions.c.suite == suites.c.digest)
            .where(submissions.c.digest == digest)
        )
        rows = self.database.rows(query)
        if not rows:
            raise InputError(f"store {self.place} has no submission {digest}: 'dlbricks systems --all' lists digests")
        try:
            with records.refusing_damage(self.place):
                body, manifest = records.unpacked(rows[0].body), records.unpacked(rows[0].manifest)
                return records.join_document(body, manifest, digest=digest)
        except InputError as error:
            raise InputError(f"store {self.place}: submission {digest} is damaged, restore it from a backup") from error

    def results(
        self, wanted: SystemQuery, *, fingerprints: Collection[str] | None = None, allow_mismatch: bool = False
    ) -> SystemResults:
        """Return measurements of the configuration that matches ``wanted``; ``fingerprints`` selects sequences.

        Fingerprints without a measurement are left out. Raises ``InputError`` if no configuration matches; with
        ``allow_mismatch``, it takes the nearest configuration instead, and lists the differences in ``mismatch``.
        """
        return self.results_each(wanted, [fingerprints], allow_mismatch=allow_mismatch)[0]

    def results_each(
        self, wanted: SystemQuery, groups: Sequence[Collection[str] | None], *, allow_mismatch: bool = False
    ) -> list[SystemResults]:
        """Return ``results`` for each group of fingerprints."""
        configurations_in_use = self._configurations()
        if all(each.system != wanted.system for each in configurations_in_use):
            self.refuse_unused(wanted.system)
        configuration, mismatch = records.choose(
            tuple(configurations_in_use), wanted, place=self.place, allow_mismatch=allow_mismatch
        )
        number, standings = configurations_in_use[configuration], self.standings(configuration)
        return self._results(configuration, number, groups, mismatch, standings)

    def results_of_all(self) -> Iterator[SystemResults]:
        """Yield the measurements of each configuration, sorted by name."""
        configurations_in_use = self._configurations()
        standings = self.standings(*configurations_in_use)
        for configuration, number in sorted(configurations_in_use.items()):
            yield from self._results(configuration, number, [None], (), standings)

    def standings(self, *of: SystemConfiguration) -> dict[str, Standing]:
        """Return the standing of each result of some systems, by the result's digest (``standing.standings``)."""
        return standing.standings(self.database, set(of))

    def spread(self, configuration: SystemConfiguration) -> Spread:
        """Return the spread of similar configurations, or ``default_spread`` if they have too few pairs of runs."""
        figures = (results.c.sequence, results.c.latency_ns, results.c.low_ns, results.c.high_ns, results.c.verdict)
        query = (
            select(submissions.c.id, submissions.c.drift, submissions.c.started_unix_ns, *figures, *CONFIGURATION)
            .join(results, results.c.submission == submissions.c.id)
            .join(configurations, configurations.c.id == submissions.c.configuration)
            .where(IN_USE, ~submissions.c.smoke, configurations.c.threads == configuration.threads)
        )
        systems: dict[SystemConfiguration, dict[tuple[int, int, float], dict[Hashable, tuple[int, float]]]]
        systems = defaultdict(lambda: defaultdict(dict))
        with records.refusing_damage(self.place):
            for row in self.database.rows(query):
                run = (-row.started_unix_ns, row.id, row.drift)
                latency = (row.latency_ns, records.relative_half_width(row))
                systems[records.configuration_of(row)][run][row.sequence] = latency
        alike = (runs for of, runs in systems.items() if kind_of(of) == kind_of(configuration))
        newest = ([(key[-1], times) for key, times in sorted(runs.items())[:_PAIRED_RUNS]] for runs in alike)
        pairs = [pair for runs in newest for pair in differences(runs)]
        return learned(pairs, "store") if len(pairs) >= LEAST_PAIRS else default_spread(configuration)

    def unconfirmed(self) -> set[str]:
        """Return the digests of results that differ too much from results of other owners."""
        return {digest for digest, each in self.standings(*self._configurations()).items() if each.unconfirmed}

    def runs(self) -> list[SubmissionSummary]:
        """Return all stored results, also withdrawn ones; those in ``unconfirmed`` have the trust ``UNCONFIRMED``."""
        odd, every = self.unconfirmed(), self.history.submissions()
        return [replace(each, trust=UNCONFIRMED) if each.digest in odd else each for each in every]

    def knows(self, system: str) -> bool:
        """Return whether a system has results that are neither withdrawn nor under an embargo."""
        return any(configuration.system == system for configuration in self._configurations())

    # Return every configuration that has a submission in use, with its id.
    def _configurations(self) -> dict[SystemConfiguration, int]:
        query = select(configurations).where(configurations.c.id.in_(select(submissions.c.configuration).where(IN_USE)))
        return dict(self.database.read(lambda row: (records.configuration_of(row), row.id), query))

    # Return the submissions in use of the configuration with id ``number``, without documents, the best one first.
    def _ranked(self, number: int, standings: Mapping[str, Standing]) -> list[Row[Any]]:
        odd = submissions.c.digest.in_([digest for digest, each in standings.items() if each.unconfirmed])
        trust = case((odd, UNCONFIRMED), else_=submissions.c.trust).label("trust")
        columns = (trust if column.name == "trust" else column for column in queries.WITHOUT_BODY)
        rows = self.database.rows(select(*columns).where(submissions.c.configuration == number, IN_USE))
        with records.refusing_damage(self.place):
            return records.best_first(rows)

    def _results(
        self,
        configuration: SystemConfiguration,
        number: int,
        groups: Sequence[Collection[str] | None],
        mismatch: tuple[str, ...],
        standings: Mapping[str, Standing],
    ) -> list[SystemResults]:
        ranked = self._ranked(number, standings)
        base = select_measurements().where(results.c.submission.in_([row.id for row in ranked]))
        # from a server all rows are fetched: the fingerprints in a query would disclose the sequences of a network
        fingerprints = queries.union(groups) if self.database.engine.dialect.name == "sqlite" else None
        rows = self.database.rows(*queries.split_query(base, fingerprints))
        chosen = (rows if group is None else [row for row in rows if row.fingerprint in group] for group in groups)
        with records.refusing_damage(self.place):
            merged = [records.merge_results(configuration, ranked, group, mismatch=mismatch) for group in chosen]
            return [replace(each, standings=standings) for each in merged]

    def labels(self) -> dict[tuple[str, str], SequenceLabel]:
        """Return the labels of layer sequences, by the suite's digest and the sequence's fingerprint."""
        query = select(tables.listings.c.suite, sequences.c.fingerprint, *queries.LABEL)
        query = query.join(sequences, tables.listings.c.sequence == sequences.c.id)
        return dict(self.database.read(lambda row: ((row.suite, row.fingerprint), records.label_of(row)), query))

    def head(self, digest: str) -> bytes:
        """Return a stored result as JSON without its suite. Its digest is not verified, as ``document`` would do."""
        query = select(submissions.c.body).where(submissions.c.digest == digest)
        return self.database.read(lambda row: records.unpacked(row.body), query)[0]

    def split_settings(self, system: str) -> tuple[SuiteSettings, ...]:
        """Return the settings with which the networks of a system's suites were split, without repetitions."""
        return tuple(dict.fromkeys(split for _, split in self._settings(system)))

    def widths(self, suite: str) -> Iterator[tuple[str, str, float]]:
        """Yield for each measurement of a suite: digest of the result, fingerprint, relative width of the interval."""
        interval = (results.c.latency_ns, results.c.low_ns, results.c.high_ns)
        query = (
            select(submissions.c.digest, sequences.c.fingerprint, *interval)
            .join(results, results.c.submission == submissions.c.id)
            .join(sequences, results.c.sequence == sequences.c.id)
            .where(submissions.c.suite == suite)
        )
        yield from self.database.read(
            lambda row: (row.digest, row.fingerprint, (row.high_ns - row.low_ns) / max(row.latency_ns, 1)), query
        )

    def documents(self, configuration: SystemConfiguration) -> Iterator[bytes]:
        """Yield the results of a configuration as canonical JSON, best first; not if withdrawn or embargoed."""
        number = self._configurations().get(configuration)
        for row in [] if number is None else self._ranked(number, self.standings(configuration)):
            yield self.document(row.digest)

    def query(
        self, *, fingerprint: str = "", system: str | None = None, operator: str | None = None, limit: int | None = None
    ) -> tuple[StoredResult, ...]:
        """Return measurements, sorted by fingerprint and system, best run first.

        ``fingerprint`` is a prefix. ``operator`` is an operator in the sequence, such as ``Conv``; case is ignored.
        """
        origin = (submissions.c.digest, submissions.c.started_unix_ns, submissions.c.complete, submissions.c.trust)
        query = (
            select_measurements()
            .add_columns(*origin, *CONFIGURATION)
            .join(configurations, submissions.c.configuration == configurations.c.id)
            .where(IN_USE)
            .order_by(sequences.c.fingerprint, *CONFIGURATION, *queries.RANK)
            .limit(limit)
        )
        if fingerprint:
            query = query.where(sequences.c.fingerprint.startswith(fingerprint.lower(), autoescape=True))
        if system is not None:
            query = query.where(configurations.c.system == system)
        if operator is not None:
            query = query.where(
                func.lower(tables.listings.c.operators).contains(f" {operator.lower()} ", autoescape=True)
            )
        listed = self.database.read(records.stored_result_of, query)
        standings = self.standings(*(each.configuration for each in listed))
        places = ((each, standings.get(each.submission, Standing())) for each in listed)
        judged = [
            replace(each, standing=of, trust=UNCONFIRMED if of.unconfirmed else each.trust) for each, of in places
        ]
        return tuple(sorted(judged, key=lambda of: (of.label.fingerprint, of.configuration, of.trust == UNCONFIRMED)))

    # Return configuration and split settings of each suite that a system has measured, complete runs first.
    def _settings(self, system: str) -> list[tuple[SystemConfiguration, SuiteSettings]]:
        return self.database.read(
            lambda row: (
                records.configuration_of(row),
                records.settings_of(json.loads(records.unpacked(row.manifest))),
            ),
            queries.select_suites(system),
        )

    def refuse_unused(self, system: str) -> None:
        """Raise ``InputError`` with the reason if a system without results in use has withdrawn ones."""
        now = time.time_ns()
        own = [each for each in self.history.submissions() if each.configuration.system == system]
        # a message must not disclose a result under embargo
        listed = [each for each in own if (each.embargo_unix_ns or 0) <= now]
        if listed and (event := listed[0].withdrawn):
            raise InputError(
                f"store {self.place} uses no result of system {system}: the newest of {len(listed)}, "
                f"{listed[0].digest[:12]}, was {event.kind} on {format_day(event.recorded_unix_ns)} ({event.reason})"
            )

    def _initialise(self, *, create: bool) -> None:
        if not self._has_tables():
            if not create:
                raise InputError(f"{self.place} is not a dlbricks store: 'dlbricks submit' creates a store")
            with self.database.transaction(writes=True) as connection:
                tables.metadata.create_all(connection)
                facts = {"format": STORE_FORMAT, "schema_version": str(tables.STORE_SCHEMA_VERSION)}
                rows = [{"key": key, "value": value} for key, value in facts.items()]
                # another process may create the store at the same time
                connection.execute(insert_or_ignore(connection, meta), rows)
        if self.hook is not None and self.hook.tables:
            with self.database.transaction(writes=True) as connection:
                for table in self.hook.tables:
                    table.create(connection, checkfirst=True)

    # Return whether the tables exist, after upgrading an older store; raises InputError for another database.
    def _has_tables(self) -> bool:
        with self.database.transaction() as connection:
            existing = set(inspect(connection).get_table_names())
            if not existing:
                return False
            rows = connection.execute(select(meta)) if "meta" in existing else ()
            facts: dict[str, str] = {row.key: str(row.value) for row in rows}
        version = facts.get("schema_version", "")
        is_current = version == str(tables.STORE_SCHEMA_VERSION)
        if facts.get("format") != STORE_FORMAT or (is_current and not existing >= set(tables.metadata.tables)):
            raise InputError(f"{self.place} is a database, but not a dlbricks store: name another file or URL")
        if not is_current:
            queries.upgrade_from(version, self.database)
        return True
