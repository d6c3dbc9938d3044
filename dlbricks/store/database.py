"""The store: submissions are added in one transaction each and never changed; queries answer for their systems.

What is withdrawn stays, with the reason, and enters no answer but the list of submissions; what is under embargo does
so until its date. The name of a system belongs to the first key that signed a result of it (``ownership``).

A store is append-only and content-addressed: the same document twice is one submission, and what a store answers does
not depend on the order in which documents came. When several submissions of one configuration hold a fingerprint, those
better believed go first, then those that hold at least half as many sequences as the largest, then the complete ones,
then the newest run, none of which is newer than its arrival; ``query`` shows them all. Call overheads and miss curve
come from the first submission in this order that has them.

Results of a suite that nobody has registered are kept apart. What a store knows of a sequence beside its latency comes
from the suite that was run.
"""

import json
import time
import zlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Self

from sqlalchemy import func, inspect, select, update

from dlbricks.errors import InputError
from dlbricks.store import dialect
from dlbricks.store.ownership import is_there, keep_signature, own
from dlbricks.store.queries import (
    CONFIGURATION,
    EMBARGO,
    configuration_id,
    insert_results,
    narrowed,
    select_configurations,
    select_labels,
    select_measurements,
    select_ranked,
    select_results,
    select_suites,
    select_systems,
    select_widths,
)
from dlbricks.store.ranking import CONSISTENT, PROVISIONAL, RANK, SELF_REPORTED, after, best_first
from dlbricks.store.registry import SuiteRegistry, body_beside, delete_waiting
from dlbricks.store.rows import configuration_of, label_of, machine_columns, merged, stored_result_of, system_summary_of
from dlbricks.store.systems import ConfigurationFilter, choose
from dlbricks.store.tables import (
    STORE_SCHEMA_VERSION,
    configurations,
    join_document,
    listings,
    meta,
    metadata,
    results,
    sequences,
    submissions,
    suites,
)
from dlbricks.store.types import (
    SequenceLabel,
    Signed,
    SplitSettings,
    StoredResult,
    Submission,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)
from dlbricks.units import format_day

STORE_FORMAT = "dlbricks-store"
_QUIET = ("clean", "info")
"""Severities of findings that do not keep a signed submission from being consistent."""


class ResultStore(SuiteRegistry):
    """Submissions of many systems in one database; ``open`` gives one, and it is to be closed (``with`` does)."""

    __slots__ = ()

    @classmethod
    def open(cls, url: str, *, create: bool = False, wait_s: float = 30.0) -> Self:
        """Open the store at a database URL or at the path of a SQLite file.

        Args:
            url: as in ``sqlite:///store.sqlite``, ``postgresql+psycopg://host/name`` or ``results/store.sqlite``.
            create: make the store if there is none.
            wait_s: how long to wait for another process that is writing (SQLite).

        Raises:
            InputError: no store, no permission, another database, a damaged file, or a store of another version.
            MissingDependencyError: the engine needs a package that is not installed.
        """
        parsed = dialect.parse_url(url)
        store = cls(dialect.connect(parsed, create=create, wait_s=wait_s), dialect.place_of(parsed))
        try:
            store._get_ready(create=create)
        except InputError:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Use the store in a ``with`` statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
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
        """Store a checked submission in one transaction; False if it is there already.

        Args:
            submission: what was read.
            signed: the file with its signature; the name is that key's from now on.
            received_unix_ns: when, by the collector's clock; None for now.
            embargo_unix_ns: until when it is not shown; said of one that is there already, too.
            provisional: whether its sender does not stand for it yet (``confirm``); of one that is new.

        Raises:
            CheckError: the name of the system belongs to another key, or to one at all if nothing is signed.
            InputError: the store cannot be written; nothing of the submission is in it then.
        """
        received_unix_ns = time.time_ns() if received_unix_ns is None else received_unix_ns
        key = signed.key if signed else ""
        row = {
            "digest": submission.digest,
            "suite": submission.suite_digest,
            "started_unix_ns": min(submission.started_unix_ns, received_unix_ns),
            "received_unix_ns": received_unix_ns,
            "complete": submission.complete,
            "smoke": submission.smoke,
            "severity": submission.severity,
            "trust": CONSISTENT if signed and submission.severity in _QUIET else SELF_REPORTED,
            **machine_columns(submission.results),
            "results": len(submission.labels),
        }
        manifest = zlib.compress(submission.manifest, level=3)
        with dialect.writing(self._engine) as connection:
            if key or embargo_unix_ns is not None or not is_there(connection, submission.digest):
                own(connection, submission.results.configuration.system, key, received_unix_ns)
            suite = {"digest": submission.suite_digest, "name": submission.suite, "manifest": manifest}
            connection.execute(dialect.insert_or_ignore(connection, suites), suite)
            row["body"] = zlib.compress(body_beside(connection, submission), level=3)
            row["configuration"] = configuration_id(connection, submission.results.configuration)
            added = dialect.insert_or_ignore(connection, submissions).returning(submissions.c.id)
            number = connection.execute(added, row).scalar_one_or_none()
            said = {"reason": "as submitted", "recorded_unix_ns": received_unix_ns}
            if embargo_unix_ns is not None:
                until = {"kind": EMBARGO, "until_unix_ns": embargo_unix_ns}
                self._say(connection, submission.digest, {**said, **until})
            if number is not None:
                insert_results(connection, number, submission)
                delete_waiting(connection, submission.digest)
            if number is not None and provisional:
                self._say(connection, submission.digest, {**said, "kind": PROVISIONAL})
            if signed is not None and keep_signature(connection, submission.digest, signed) and number is None:
                for trust in (SELF_REPORTED, after(SELF_REPORTED, PROVISIONAL)):
                    unheard = (submissions.c.digest == submission.digest, submissions.c.trust == trust)
                    known = after(trust, str(row["trust"]))
                    connection.execute(update(submissions).where(*unheard).values(trust=known))
        return number is not None

    def systems(self) -> tuple[SystemSummary, ...]:
        """List the configurations that have submissions, by name."""
        found = [system_summary_of(row) for row in self._rows(select_systems())]
        settings = {name: self._settings(name) for name in {one.configuration.system for one in found}}
        summaries = []
        for one in found:
            own = (how for by, how in settings[one.configuration.system] if by == one.configuration)
            summaries.append(replace(one, settings=tuple(dict.fromkeys(own))))
        return tuple(sorted(summaries, key=lambda summary: summary.configuration))

    def document(self, digest: str) -> bytes:
        """Give a submission back, as canonical JSON.

        Raises:
            InputError: no submission has this digest, or what is stored is not what came in.
        """
        query = (
            select(submissions.c.body, suites.c.manifest)
            .join(suites, submissions.c.suite == suites.c.digest)
            .where(submissions.c.digest == digest)
        )
        rows = self._rows(query)
        if not rows:
            raise InputError(f"store {self.place} holds no submission {digest}")
        try:
            return join_document(zlib.decompress(rows[0].body), zlib.decompress(rows[0].manifest), digest=digest)
        except (zlib.error, TypeError, InputError) as error:
            message = f"store {self.place}: submission {digest} is damaged; restore a copy of the store"
            raise InputError(message) from error

    def results(
        self,
        wanted: ConfigurationFilter,
        *,
        fingerprints: Collection[str] | None = None,
        allow_mismatch: bool = False,
    ) -> SystemResults:
        """Give what is known of one configuration, for some fingerprints or all; unknown ones are left out.

        Of a store on another machine all results of the configuration are fetched: what is asked for would tell its
        owner of which sequences a network is made.

        Args:
            wanted: the system and further conditions; exactly one configuration must match.
            fingerprints: the ones asked for; None for all.
            allow_mismatch: whether the nearest configuration of the system is taken where none matches;
                ``mismatch`` says in what it differs.

        Raises:
            InputError: unknown system (close names are listed), none of its configurations is as asked for, or several
                are (all are listed); or the store is damaged.
        """
        known = {configuration_of(row): row.id for row in self._rows(select_configurations())}
        self._refuse_unused(wanted.system, known)
        configuration, mismatch = choose(tuple(known), wanted, place=self.place, allow_mismatch=allow_mismatch)
        return self._results(configuration, known[configuration], fingerprints, mismatch)

    def results_of_all(self) -> Iterator[SystemResults]:
        """Give what is known of each configuration, by name.

        Raises:
            InputError: the store is damaged.
        """
        known = {configuration_of(row): row.id for row in self._rows(select_configurations())}
        for configuration in sorted(known):
            yield self._results(configuration, known[configuration], None, ())

    def _results(
        self,
        configuration: SystemConfiguration,
        number: int,
        fingerprints: Collection[str] | None,
        mismatch: tuple[str, ...],
    ) -> SystemResults:
        ranked = best_first(self._rows(select_ranked(number)))
        base = select_measurements().where(results.c.submission.in_([row.id for row in ranked]))
        rows = self._rows(*narrowed(base, fingerprints if self._engine.dialect.name == "sqlite" else None))
        if fingerprints is not None:
            rows = [row for row in rows if row.fingerprint in fingerprints]
        try:
            return merged(configuration, ranked, rows, mismatch=mismatch)
        except (ValueError, TypeError, AttributeError) as error:
            raise InputError(f"store {self.place} is damaged; restore a copy of it") from error

    def labels(self) -> dict[tuple[str, str], SequenceLabel]:
        """Give what each suite calls its sequences, by its digest and their fingerprints."""
        return {(row.suite, row.fingerprint): label_of(row) for row in self._rows(select_labels())}

    def head(self, digest: str) -> bytes:
        """Give a submission as canonical JSON without its suite's manifest; faster than ``document``, not checked."""
        (row,) = self._rows(select(submissions.c.body).where(submissions.c.digest == digest))
        return zlib.decompress(row.body)

    def split_settings(self, system: str) -> tuple[SplitSettings, ...]:
        """Say how the suites that a system has measured were split: each way once, complete and new runs first.

        Raises:
            InputError: the store is damaged.
        """
        return tuple(dict.fromkeys(how for _, how in self._settings(system)))

    def widths(self, suite: str) -> Iterator[tuple[str, str, float]]:
        """Give the width of each interval over its latency of all results of a suite, withdrawn ones too.

        Args:
            suite: its digest.

        Returns:
            Digest of the submission, fingerprint and width.
        """
        for row in self._rows(select_widths(suite)):
            yield row.digest, row.fingerprint, (row.high_ns - row.low_ns) / max(row.latency_ns, 1)

    def documents(self, configuration: SystemConfiguration) -> Iterator[bytes]:
        """Give the submissions of a configuration back, the best one first.

        Raises:
            InputError: the store is damaged.
        """
        known = {configuration_of(row): row.id for row in self._rows(select_configurations())}
        for row in best_first(self._rows(select_ranked(known[configuration]))) if configuration in known else ():
            yield self.document(row.digest)

    def query(
        self,
        *,
        fingerprint: str = "",
        system: str | None = None,
        operator: str | None = None,
        limit: int | None = None,
    ) -> tuple[StoredResult, ...]:
        """List single results, all submissions alike, by fingerprint, configuration and age (newest first).

        Args:
            fingerprint: prefix of the fingerprints asked for.
            system: name of the system asked for.
            operator: operator that the sequences must hold, as in ``Conv``; upper and lower case are the same.
            limit: at most so many.
        """
        query = select_results().order_by(sequences.c.fingerprint, *CONFIGURATION, *RANK).limit(limit)
        if fingerprint:
            query = query.where(sequences.c.fingerprint.startswith(fingerprint.lower(), autoescape=True))
        if system is not None:
            query = query.where(configurations.c.system == system)
        if operator is not None:
            query = query.where(func.lower(listings.c.operators).contains(f" {operator.lower()} ", autoescape=True))
        return tuple(stored_result_of(row) for row in self._rows(query))

    def _settings(self, system: str) -> list[tuple[SystemConfiguration, SplitSettings]]:
        """Give each configuration of a system with each way its suites were split; complete, new runs first."""
        rows = self._rows(select_suites(system))
        try:
            manifests = [json.loads(zlib.decompress(row.manifest)) for row in rows]
            settings = [
                SplitSettings(
                    granularity=one["granularity"],
                    target=one["target"]["name"],
                    splitter=one["splitter"],
                    dims=tuple(sorted(one.get("dims", {}).items())),
                    batch=one.get("batch"),
                )
                for one in manifests
            ]
        except (zlib.error, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"store {self.place} is damaged; restore a copy of it") from error
        return [(configuration_of(row), how) for row, how in zip(rows, settings, strict=True)]

    def _refuse_unused(self, system: str, known: Collection[SystemConfiguration]) -> None:
        """Say of a system of which all results wait for their suites, or were withdrawn, what has to be done."""
        if any(one.system == system for one in known):
            return
        shown = (one for one in self.submissions() if (one.embargo_unix_ns or 0) <= time.time_ns())
        held = [one for one in shown if one.configuration.system == system]
        if held and (why := held[0].withdrawn):
            raise InputError(
                f"store {self.place} uses no result of {system}: {held[0].digest[:12]}, the newest of {len(held)}, was "
                f"{why.kind} on {format_day(why.recorded_unix_ns)}: {why.reason}"
            )
        suites = sorted({one.suite for one in self.waiting() if one.system == system})
        if suites:
            raise InputError(
                f"store {self.place} keeps the results of {system} apart: nobody has registered suite {suites[0]}; "
                "'dlbricks suites --add SUITE' does"
            )

    def _get_ready(self, *, create: bool) -> None:
        if self._is_ready():
            return
        if not create:
            raise InputError(f"{self.place} is no dlbricks store: dlbricks submit makes one")
        with dialect.writing(self._engine) as connection:
            metadata.create_all(connection)
            said = {"format": STORE_FORMAT, "schema_version": str(STORE_SCHEMA_VERSION)}
            rows = [{"key": key, "value": value} for key, value in said.items()]
            connection.execute(dialect.insert_or_ignore(connection, meta), rows)

    def _is_ready(self) -> bool:
        """Whether the tables exist; what is there and is no store of this version raises ``InputError``."""
        with dialect.reading(self._engine) as connection:
            there = set(inspect(connection).get_table_names())
            if not there:
                return False
            rows = connection.execute(select(meta)) if "meta" in there else ()
            said: dict[str, str] = {row.key: row.value for row in rows}
        version = said.get("schema_version", "")
        now = version == str(STORE_SCHEMA_VERSION)
        if said.get("format") != STORE_FORMAT or (now and not there >= set(metadata.tables)):
            raise InputError(f"{self.place} is a database, but no dlbricks store: name another place")
        if not now:
            from dlbricks.store.upgrade import refuse_other_version, upgrade  # reads documents, as nothing else here

            refuse_other_version(version, self.place)
            try:
                with dialect.writing(self._engine) as connection:
                    upgrade(connection)
            except InputError as error:
                way = (
                    f"it is of version {version}; whoever may write it brings it to {STORE_SCHEMA_VERSION} by any verb"
                )
                raise InputError(f"{error}; {way}, as in 'dlbricks systems --store {self.place}'") from error
        return True
