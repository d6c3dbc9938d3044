"""Estimates from stored results: open a store or bundle, fetch measurements of sequences, and compose networks.

Functions import heavy libraries when they need them.
"""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.errors import InputError
from dlbricks.settings import PORTABLE, SplitSettings, SystemQuery
from dlbricks.units import format_day

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Coverage
    from dlbricks.construct.types import Composition, Estimate
    from dlbricks.sequences.types import Split
    from dlbricks.store.bundle import Bundle
    from dlbricks.store.database import ResultStore
    from dlbricks.store.types import SystemResults
    from dlbricks.trace.types import Trace

# Prefix that marks the path of a bundle where a store's URL is expected.
BUNDLE = "bundle:"
UNKNOWN = "not in any stored result: 'dlbricks plan' writes a suite with it, or names why it cannot run"


def open_store(url: str | None, *, create: bool = False, write: bool = False) -> "ResultStore":
    """Open a store by its URL, as in ``sqlite:///results.sqlite``; None opens the default store.

    With ``create`` or ``write`` an installed plug-in verifies signatures and compares new results with stored ones.
    """
    from dlbricks.store.database import ResultStore
    from dlbricks.store.tables import default_store_url

    # reading needs no plug-in
    hook = None
    if create or write:
        from dlbricks.store.history import installed_hook

        hook = installed_hook()
    return ResultStore.open(url or default_store_url(), create=create, hook=hook)


def open_results(place: str | None) -> "contextlib.AbstractContextManager[ResultStore | Bundle]":
    """Open a store by its URL, or a bundle by its path after ``bundle:``, as in ``bundle:systems.parquet``.

    Raises ``CheckError`` if the signature of the bundle is not valid.
    """
    if place is not None and place.startswith(BUNDLE):
        return contextlib.nullcontext(_open_bundle(place))
    return open_store(place)


def _open_bundle(place: str) -> "Bundle":
    from dlbricks.store.bundle import Bundle
    from dlbricks.store.history import signer_of

    return Bundle.open(Path(place.removeprefix(BUNDLE)), signer_of)


def published(place: str) -> str:
    """Return a sentence that states the date of a bundle (see ``open_results``) and the key that signed it."""
    bundle = _open_bundle(place)
    signed = f"signed by {bundle.key}" if bundle.key else "unsigned"
    return f"{bundle.place} was published on {format_day(bundle.head.published_unix_ns)}, {signed}"


def as_measured(
    paths: Sequence[Path], settings: SplitSettings, query: SystemQuery
) -> tuple[SplitSettings, tuple[str, ...]]:
    """Fill settings that the user left open from the suite that a system has measured, or else from defaults.

    An empty granularity, target or splitter is open. Extents and values of the suite apply only to names that one of
    the networks has. A lowered graph is for the system's number of threads. A remark lists the settings that were taken
    from the suite, or states that all measured suites differ from the request.
    """
    from dlbricks.harness.options import RUNTIMES
    from dlbricks.model.read.dimensions import known_to

    with open_results(query.store) as opened:
        suites = opened.split_settings(query.system)
    measured = [
        SplitSettings(**{**asdict(suite), "dims": dict(suite.dims), "values": dict(suite.values)}) for suite in suites
    ]
    runtime = (query.runtime or "").partition(" ")[0]
    if runtime in RUNTIMES:
        measured = [suite for suite in measured if suite.target == PORTABLE or suite.target.startswith(runtime)]
    named = {name: getattr(settings, name) for name in ("granularity", "target", "splitter")}
    closed = {name: value for name, value in named.items() if value}
    fitting = [suite for suite in measured if all(getattr(suite, name) == value for name, value in closed.items())]
    suite = fitting[0] if fitting else SplitSettings()
    completed = replace(
        settings,
        **{name: value or getattr(suite, name) for name, value in named.items()},
        dims={**known_to(paths, suite.dims), **settings.dims},
        values={**known_to(paths, suite.values), **settings.values},
        batch=settings.batch or suite.batch,
        threads=query.threads or 1,
    )
    remark = ""
    if fitting and len(closed) < len(named):
        others = f"; also measured: {_options(fitting[1])}" if len(fitting) > 1 else ""
        remark = f"split as measured on {query.system}: {_options(suite)}{others}"
    elif measured and not fitting:
        remark = f"{query.system} was measured with {_options(measured[0])}; your request differs"
    return completed, (remark,) if remark else ()


def _options(settings: SplitSettings) -> str:
    # with one layer per sequence all splitters give the same sequences
    splitter = "" if settings.granularity == "1" else f" --splitter {settings.splitter}"
    split = f"-H {settings.granularity} --target {settings.target}{splitter}"
    return " ".join((split, *settings.extents))


def estimate(
    network: "Split", system: str | SystemQuery, *, rule: str = "sequential", interpolate: bool = False
) -> "Estimate":
    """Compose the latency of a network from the stored measurements of its sequences on a system.

    Args:
        network: split with the granularity, splitter and target of the measured suite.
        system: name of a system in the default store, or a query.
        rule: ``sequential``, ``pairs``, ``parallel`` or ``simulate``.
        interpolate: whether to predict sequences without a measurement from similar ones.

    Returns:
        The latency in ns with its 90 % interval. Sequences without a measurement are listed in ``missing`` and are not
        part of the total.

    Raises:
        InputError: the system is unknown, or its results are of another target or configuration.
    """
    return estimates([network], system_query(system), rule=rule, interpolate=interpolate)[1][0]


def system_query(system: str | SystemQuery) -> SystemQuery:
    """Return the query itself, or a query for the system of this name in the default store."""
    return SystemQuery(system=system) if isinstance(system, str) else system


def estimates(
    networks: Sequence["Split"],
    query: SystemQuery,
    *,
    rule: str = "sequential",
    interpolate: bool = False,
    allow_mismatch: bool = False,
) -> "tuple[SystemResults, list[Estimate]]":
    """Compose the latencies of several split networks of one target; see ``estimate``.

    Also returns the measurements of the system; with ``allow_mismatch`` these are of the nearest configuration if none
    matches. Also raises ``InputError`` if the rule is ``simulate`` and the system has no trace of these sequences.
    """
    from dlbricks.construct.asynchronous import shares
    from dlbricks.construct.compose import compose
    from dlbricks.construct.estimate import estimate as compose_latency
    from dlbricks.construct.estimate import with_origin
    from dlbricks.construct.types import Rule

    parsed = Rule.parse(rule)
    compositions = [compose(network, pairs=parsed == Rule.PAIRS) for network in networks]
    results = stored(compositions, query, allow_mismatch=allow_mismatch, everything=interpolate)
    interpolator = None
    if interpolate:
        from dlbricks.construct.interpolate import fit

        # smoke tests count only if there is nothing else
        solid = {name: row for name, row in results.measurements.items() if not (row.origin and row.origin.smoke)}
        interpolator = fit(replace(results, measurements=solid) if solid else results)
    traced = None
    if parsed == Rule.SIMULATE:
        traces = traces_of(compositions, results, query)
        if not traces:
            advice = "run the suite with --trace ML there, or use --rule sequential"
            raise InputError(f"{query.system} has no trace of these sequences: {advice}")
        traced = shares(traces)
    composed = []
    for composition in compositions:
        latency = compose_latency(composition, results, parsed, interpolator=interpolator, traced=traced)
        composed.append(with_origin(latency, results, time.time_ns()))
    return results, _with_reasons(composed, results, query)


def _with_reasons(composed: "list[Estimate]", results: "SystemResults", query: SystemQuery) -> "list[Estimate]":
    # Add to each missing sequence that could have a benchmark the reason why its latency is missing. Results that
    # cannot be read give no reason.
    from dlbricks.store.document import failures

    rows = (row for estimate in composed for row in estimate.rows)
    lacking = {row.fingerprint for row in rows if row.tier == "missing" and not row.verdict}
    if not lacking:
        return composed
    recorded: dict[str, str] = {}
    with open_results(query.store) as opened, contextlib.suppress(InputError):
        recorded = failures(opened.documents(results.configuration), lacking)
    reasons = {fingerprint: recorded.get(fingerprint, UNKNOWN) for fingerprint in lacking}
    with_reasons = []
    for estimate in composed:
        rows = (replace(row, verdict=reasons.get(row.fingerprint, row.verdict)) for row in estimate.rows)
        with_reasons.append(replace(estimate, rows=tuple(rows)))
    return with_reasons


def stored(
    compositions: "Sequence[Composition]", query: SystemQuery, *, allow_mismatch: bool = False, everything: bool = False
) -> "SystemResults":
    """Fetch the measurements of a system for the sequences of some compositions; see ``stored_each``."""
    (results,) = stored_each([compositions], query, allow_mismatch=allow_mismatch, everything=everything)
    return results


def stored_each(
    groups: "Sequence[Sequence[Composition]]",
    query: SystemQuery,
    *,
    allow_mismatch: bool = False,
    everything: bool = False,
) -> "list[SystemResults]":
    """Fetch the measurements of a system for each of several groups of compositions, with one query of the store.

    A lowered graph belongs to one version of the runtime and one instruction set. Only results of that version and
    instruction set are used: those in the network's file, or else those of this machine.

    The first group must not be empty, and all networks must have one target. If no configuration matches,
    ``allow_mismatch`` permits the nearest one. ``everything`` returns all its measurements, for interpolation.
    """
    first = groups[0][0]
    made_for = first.made_for
    if made_for is None and first.target != PORTABLE:
        from dlbricks.model.lowering.targets import this_machine

        made_for = this_machine(first.target)
    if made_for is not None:
        # another version or instruction set would give the lowered graph other sequences
        query = replace(query, lowered_by=made_for.runtime, instruction_set=made_for.instruction_set)
    with open_results(query.store) as opened:
        chosen = [
            None if everything else {part.fingerprint for each in group for part in (*each.steps, *each.pairs)}
            for group in groups
        ]
        return opened.results_each(query, chosen, allow_mismatch=allow_mismatch)


def traces_of(
    compositions: "Sequence[Composition]", results: "SystemResults", query: SystemQuery
) -> "dict[str, Trace]":
    """Return the traces that were submitted with measurements of these compositions' sequences, by fingerprint."""
    from dlbricks.trace.onnxruntime import first_traces

    fingerprints = {step.fingerprint for composition in compositions for step in composition.steps}
    with open_results(query.store) as opened:
        return first_traces(opened.documents(results.configuration), fingerprints)


def coverage(networks: "Sequence[Split]", query: SystemQuery) -> "Coverage":
    """Compare the sequences of networks with the measurements of a system; raises what ``estimate`` raises."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover

    compositions = [compose(network) for network in networks]
    return cover(compositions, stored(compositions, query))
