"""Estimates from stored results: open a store or bundle, fetch measurements of sequences, and compose networks.

A composition lists the sequences of a split network. The network's estimate is the sum of their latencies, or follows
another rule. A lowered network is the graph that one runtime executes. Functions import heavy libraries when needed.
"""

import contextlib
import functools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dlbricks.api.networks import named, split_among
from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.run.progress import silent
from dlbricks.harness.runtimes import USUAL
from dlbricks.process_pool import Answered, answered
from dlbricks.settings import PORTABLE, SplitSettings, SystemQuery, usual_target
from dlbricks.units import format_day

if TYPE_CHECKING:
    from dlbricks.construct.comparison import Faster
    from dlbricks.construct.coverage import Coverage
    from dlbricks.construct.types import Composition, Estimate, PlacedSequence
    from dlbricks.sequences.types import Split
    from dlbricks.store.bundle import Bundle
    from dlbricks.store.database import ResultStore
    from dlbricks.store.types import SuiteSettings, SystemConfiguration, SystemResults
    from dlbricks.trace.types import Trace

# Prefix that marks the path of a bundle where a store's URL is expected.
BUNDLE = "bundle:"
# Settings that a user may leave open.
_SPLIT = ("granularity", "target", "splitter")
# URL of a store that ends with the process.
IN_MEMORY = "sqlite://"
UNKNOWN = "not in any stored result: 'dlbricks plan' writes a suite with it, or states why it cannot run"


def open_store(url: str | None, *, create: bool = False, write: bool = False) -> "ResultStore":
    """Open a database of results by its URL, as in ``sqlite:///results.sqlite``; None opens the default store.

    With ``create`` or ``write``, an installed plug-in verifies signatures and detects copies of results.
    """
    from dlbricks.store.database import ResultStore
    from dlbricks.store.tables import default_store_url

    place, hook = url or default_store_url(), None
    if place.startswith(BUNDLE):
        raise InputError(f"{place} is a bundle, not a store: name the store that it was published from")
    if create or write:  # reading needs no plug-in
        from dlbricks.store.history import installed_hook

        hook = installed_hook()
    return ResultStore.open(place, create=create, hook=hook)


def store_exists(url: str | None) -> bool:
    """Return whether the file of a store exists; always true for a store on a server."""
    from dlbricks.store.tables import default_store_url, parse_url, place_of

    parsed = parse_url(url or default_store_url())
    return parsed.get_backend_name() != "sqlite" or not parsed.database or Path(place_of(parsed)).exists()


def open_results(query: SystemQuery) -> "contextlib.AbstractContextManager[ResultStore | Bundle]":
    """Open the database of results that a query names, or the bundle, as in ``bundle:systems.parquet``.

    A system that the database lacks is looked up in the bundle of the package. Raises ``CheckError`` if the signature
    of a bundle is not valid, and ``InputError`` if neither has results of the system.
    """
    from dlbricks.store.records import unknown_system
    from dlbricks.store.tables import default_store_url, parse_url, place_of

    if query.store is not None and query.store.startswith(BUNDLE):
        return contextlib.nullcontext(_open_bundle(query.store))
    opened = open_store(query.store) if store_exists(query.store) or not query.system else None
    if opened and (not query.system or opened.knows(query.system)):
        return opened
    names = [each.configuration.system for each in shipped_bundle().systems()]
    with opened or contextlib.nullcontext():
        if query.system in names:
            return contextlib.nullcontext(shipped_bundle())
        if opened:
            opened.refuse_unused(query.system)
            names += [each.configuration.system for each in opened.systems()]
    absent = "" if opened else ", which does not exist,"
    raise unknown_system(place_of(parse_url(query.store or default_store_url())) + absent, names, query.system)


@functools.cache
def shipped_bundle() -> "Bundle":
    """Return the bundle with the systems that the package's authors measured."""
    from dlbricks.store.bundle import SHIPPED, Bundle

    return Bundle.open(SHIPPED, lambda _: "")


def _open_bundle(place: str) -> "Bundle":
    from dlbricks.store.bundle import SHIPPED, Bundle
    from dlbricks.store.history import signer_of

    path = Path(place.removeprefix(BUNDLE))
    return shipped_bundle() if path == SHIPPED else Bundle.open(path, signer_of)


def as_measured(
    paths: Sequence[Path], settings: SplitSettings, queries: Sequence[SystemQuery], tell: Callable[[str], None]
) -> "Answered[tuple[SplitSettings, Split]]":
    """Split each network into layer sequences as in a suite that the systems have measured; ``tell`` gets remarks.

    Only suites that agree with ``settings`` count. Each network gets the settings with which the systems have measured
    the most layers; among equals, the settings with the narrowest interval. ``alternatives`` states what happens to
    networks that cannot be split.
    """
    candidates = candidates_of(paths, settings, queries[0], tell)
    fitting, left_out = alternatives(paths, candidates, tell)
    chosen, names = {path: preferred(each, queries) for path, each in fitting.items()}, dict[str, list[str]]()
    for each, network in chosen.values():
        names.setdefault(split_options(each), []).append(network.model.name)
    for options, of in names.items() if len(candidates) > 1 else ():
        whose = f"{', '.join(of)}: " if len(names) > 1 else ""
        others = ", ".join(each for each in map(split_options, candidates) if each != options)
        tell(f"{whose}split as measured on {queries[0].system}: {options}; also measured: {others}")
    return chosen, left_out


def measured_splits(
    models: Sequence[str], settings: SplitSettings, queries: Sequence[SystemQuery], tell: Callable[[str], None] = silent
) -> "Answered[Split]":
    """Split networks (files, folders or globs) as ``as_measured`` does; return the splits without their settings."""
    with named(models, settings, tell) as paths:
        chosen, left_out = as_measured(paths, settings, queries, tell)
    return {path: split for path, (_, split) in chosen.items()}, left_out


def candidates_of(
    paths: Sequence[Path], settings: SplitSettings, query: SystemQuery, tell: Callable[[str], None]
) -> list[SplitSettings]:
    """Return the settings of splits that a system has measured; ``tell`` gets a remark if only one or none fits."""
    from dlbricks.harness.options import RUNTIMES

    with open_results(query) as opened:
        suites = opened.split_settings(query.system)
        lowered = any(suite.target == usual_target() for suite in suites)
        configurations = [each.configuration for each in opened.systems()] if lowered else []
    runtime = (query.runtime or "").partition(" ")[0]
    if runtime in RUNTIMES:
        suites = tuple(suite for suite in suites if suite.target == PORTABLE or suite.target.startswith(runtime))
    own = (each for each in configurations if (each.system, each.provider) == (query.system, "cpu"))
    processor = next((each.instruction_set for each in own), ())
    candidates = measured_settings(paths, settings, suites, threads=query.threads or 1, processor=processor)
    if suites and not any(agrees(settings, suite) for suite in suites):
        tell(f"{query.system} was measured with {split_options(suites[0])}; your request differs")
    elif suites and len(candidates) == 1 and not (settings.granularity and settings.target and settings.splitter):
        tell(f"split as measured on {query.system}: {split_options(candidates[0])}")
    return candidates


def common_settings(
    paths: Sequence[Path], settings: SplitSettings, query: SystemQuery, tell: Callable[[str], None]
) -> SplitSettings:
    """Complete the settings as in the suite with which a system has measured the largest number of the networks."""
    candidates, chosen = candidates_of(paths, settings, query, tell), list[SplitSettings]()
    # decoders cannot be split before their lengths are chosen
    with contextlib.suppress(DlbricksError):
        networks = as_measured(paths, settings, [query], tell)[0] if candidates[1:] else {}
        chosen += [each for each, _ in networks.values()]
    return max(chosen, key=chosen.count, default=candidates[0])


def agrees(settings: SplitSettings, suite: "SuiteSettings") -> bool:
    """Return whether a suite was split as the user wants; a setting that the user left open agrees with every suite."""
    return all(getattr(settings, name) in ("", getattr(suite, name)) for name in _SPLIT)


def measured_settings(
    paths: Sequence[Path],
    settings: SplitSettings,
    suites: "Sequence[SuiteSettings]",
    *,
    threads: int,
    processor: tuple[str, ...] = (),
) -> list[SplitSettings]:
    """Complete the user's settings once with each measured suite that agrees with them, or with defaults if none does.

    An empty granularity, target, splitter or batch size becomes that of the suite. Extents of dimensions and values of
    inputs are added if a network has them. ``threads`` and ``processor`` (an instruction set) are those of the system;
    ``processor`` decides the graph of onnxruntime, ``threads`` that of other runtimes.
    """
    from dlbricks.model.read.dimensions import known_to

    completed, defaults = list[SplitSettings](), [SplitSettings()]
    for suite in [suite for suite in suites if agrees(settings, suite)] or defaults:
        chosen = {name: getattr(settings, name) or getattr(suite, name) for name in _SPLIT}
        each = replace(
            settings,
            **chosen,
            dims={**known_to(paths, dict(suite.dims)), **settings.dims},
            values={**known_to(paths, dict(suite.values)), **settings.values},
            batch=settings.batch or suite.batch,
            threads=1 if chosen["target"].startswith((PORTABLE, USUAL)) else threads,
            lowered_for=processor if chosen["target"] == usual_target() else (),
        )
        completed += [] if each in completed else [each]
    return completed


def alternatives(
    paths: Sequence[Path],
    candidates: Sequence[SplitSettings],
    tell: Callable[[str], None],
    advance: Callable[[str, int, int], None] = silent,
) -> "Answered[list[tuple[SplitSettings, Split]]]":
    """Split each network with each of the candidate settings; return for each network its splits with their settings.

    Networks that no settings can split are left out; ``tell`` gets the reason if only some settings cannot. If no
    network remains, the first error is raised. ``advance`` is called after each network, with the number so far.
    """

    def fitting(path: Path) -> "list[tuple[SplitSettings, Split]]":
        splits, errors = [], list[DlbricksError | HarnessError]()
        for each in (each for index, each in enumerate(candidates) if each not in candidates[:index]):
            try:
                splits.append((each, split_among(paths, path, each)))
            except (DlbricksError, HarnessError) as error:
                errors.append(error)
        advance("splitting networks", 1 + paths.index(path), len(paths))
        if not splits:
            raise errors[0]
        for reason in dict.fromkeys(map(str, errors)):
            tell(f"{path.name} cannot be split with some settings: {reason}")
        return splits

    return answered(fitting, paths)


def preferred(
    fitting: "Sequence[tuple[SplitSettings, Split]]", queries: Sequence[SystemQuery]
) -> "tuple[SplitSettings, Split]":
    """Return the split of which the systems have measured most; of equal ones, that with the narrowest interval."""
    return max(fitting, key=lambda each: _preference(each[1], queries)) if len(fitting) > 1 else fitting[0]


def _preference(split: "Split", queries: Sequence[SystemQuery]) -> tuple[float, float]:
    # Return a sort key of splits of one network: coverage and narrowness of the estimates on all systems.
    try:
        answers = [estimates([split], query, allow_mismatch=True, reasons=False) for query in queries]
    except DlbricksError:
        return -1.0, -1.0
    # an estimate refuses results of another configuration than requested, so they count less than no results
    coverage = sum(latency.preference[0] - bool(results.mismatch) for results, (latency,) in answers)
    return coverage, sum(latency.preference[1] for _, (latency,) in answers)


def split_options(settings: "SplitSettings | SuiteSettings") -> str:
    """Return settings of a split as command-line options, as in ``-H 1 --target portable --dim batch=8``."""
    # with one layer per sequence all splitters give the same sequences
    splitter = "" if settings.granularity == "1" else f" --splitter {settings.splitter}"
    split = f"-H {settings.granularity} --target {settings.target}{splitter}"
    extents = SplitSettings(dims=dict(settings.dims), values=dict(settings.values), batch=settings.batch).extents
    return " ".join((split, *extents))


def estimate(network: "Split", system: str | SystemQuery, *, rule: str = "", interpolate: bool = False) -> "Estimate":
    """Estimate a network's latency on a system from the stored measurements of its layer sequences.

    Args:
        network: a network that is split with the granularity, splitter and target of the measured suite.
        system: name of a system in the default store, or a query.
        rule: ``sequential``, ``pairs``, ``parallel`` or ``simulate``; empty for ``construct.coverage.best_rule``.
        interpolate: whether to predict sequences without a measurement from similar ones.

    Returns:
        The latency in ns with its 90 % interval. Sequences without a measurement are listed in ``missing`` and are not
        part of the total.

    Raises:
        InputError: the system is unknown, or its results are of another target or configuration.
    """
    query = SystemQuery(system=system) if isinstance(system, str) else system
    return estimates([network], query, rule=rule, interpolate=interpolate)[1][0]


def estimate_networks(
    models: Sequence[str],
    settings: SplitSettings,
    systems: Sequence[SystemQuery],
    tell: Callable[[str], None] = silent,
    **how: Any,
) -> "tuple[list[list[Estimate]], tuple[Faster, ...], dict[str, str]]":
    """Estimate the latencies of networks (files, folders or globs) on systems, split as each system has measured.

    ``how`` are the options of ``estimates``; ``tell`` gets remarks. Returns for each system the estimates of the
    networks that could be split, for each but the first how much faster the first runs the networks with estimates
    on all systems, and by file why networks are left out. Raises the errors of ``estimate``.
    """
    from dlbricks.construct.comparison import compared
    from dlbricks.construct.estimate import remarks

    by_system, left_out = [], dict[str, str]()
    with named(models, settings, tell) as paths:
        for query in systems:
            networks, without = as_measured(paths, settings, [query], tell)
            left_out |= without
            splits = [split for _, split in networks.values()]
            results, composed = estimates(splits, query, tell=tell, **how)
            answers = [composed, *(estimates(splits, exactly(query, other), **how)[1] for other in results.others)]
            by_system += answers
            for line in dict.fromkeys(f"{each.network}: {text}" for each in chain(*answers) for text in remarks(each)):
                tell(line)
            if query.store and query.store.startswith(BUNDLE):
                bundle = _open_bundle(query.store)
                signed = f"signed by {bundle.key}" if bundle.key else "unsigned"
                tell(f"{bundle.place} was published on {format_day(bundle.head.published_unix_ns)}, {signed}")
            if results.mismatch:
                tell(f"the results used differ from the request in: {', '.join(results.mismatch)}")
    # two files of one folder may have one name, and be split for only one of the systems
    counts = [Counter(each.network for each in group) for group in by_system]
    common = {name for name in counts[0] if all(others[name] == counts[0][name] for others in counts)}
    alike = [[each for each in group if each.network in common] for group in by_system]
    return by_system, compared(alike), left_out


def estimates(  # noqa: PLR0913 - one parameter per option
    networks: Sequence["Split"],
    query: SystemQuery,
    *,
    rule: str = "",
    interpolate: bool = False,
    allow_mismatch: bool = False,
    reasons: bool = True,
    composing: "Callable[..., Composition] | None" = None,
    tell: Callable[[str], None] = silent,
) -> "tuple[SystemResults, list[Estimate]]":
    """Estimate the latencies of several split networks on a system; also return the system's measurements.

    If no configuration of the system matches, ``allow_mismatch`` permits the nearest one. With ``reasons``, estimates
    state why sequences are missing. ``composing`` replaces ``compose``, for instance by a cached one. Raises the errors
    of ``estimate``, and ``InputError`` if the rule is ``simulate`` and the system has no trace of the networks'
    sequences.
    """
    from dlbricks.construct.asynchronous import shares
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import best_rule
    from dlbricks.construct.estimate import estimate as compose_latency
    from dlbricks.construct.estimate import with_origin
    from dlbricks.construct.memory_plan import peak_memory
    from dlbricks.construct.types import Rule

    parsed = Rule.parse(rule) if rule else None
    compositions = [(composing or compose)(each, pairs=parsed in (None, Rule.PAIRS)) for each in networks]
    results = stored(compositions, query, allow_mismatch=allow_mismatch, everything=interpolate, tell=tell)
    pairs = [pair for composition in compositions for pair in composition.pairs]
    if parsed == Rule.PAIRS and pairs and not any(pair.fingerprint in results.measurements for pair in pairs):
        advice = "run a suite of 'generate --pairs' there, or leave --rule out"
        raise InputError(f"{query.system} has measured no pairs of these sequences: {advice}")
    interpolator, steps = None, (step for composition in compositions for step in composition.steps)
    if interpolate and any(not step.free and step.fingerprint not in results.measurements for step in steps):
        from dlbricks.construct.interpolate import fit

        # smoke tests count only if there is nothing else
        solid = {name: row for name, row in results.measurements.items() if not (row.origin and row.origin.smoke)}
        interpolator = fit(replace(results, measurements=solid) if solid else results)
    traces = traces_of(compositions, results, query) if parsed == Rule.SIMULATE else {}
    if parsed == Rule.SIMULATE and not traces:
        advice = "run the suite with --trace ML there, or use --rule sequential"
        raise InputError(f"{query.system} has no trace of these sequences: {advice}")
    traced, composed = shares(traces), []
    for composition, network in zip(compositions, networks, strict=True):
        suitable = parsed or best_rule(composition, results)
        latency = compose_latency(composition, results, suitable, interpolator=interpolator, traced=traced)
        latency = replace(latency, peak_memory_bytes=peak_memory(network.model))
        composed.append(with_origin(latency, results, time.time_ns()))
    return results, _with_reasons(composed, results, query) if reasons else composed


def _with_reasons(composed: "list[Estimate]", results: "SystemResults", query: SystemQuery) -> "list[Estimate]":
    # Add to each missing sequence that could have a benchmark the reason why its latency is missing. Results that
    # cannot be read give no reason.
    from dlbricks.store.document import failures

    every = (row for estimate in composed for row in estimate.rows)
    lacking = {row.fingerprint for row in every if row.tier == "missing" and not row.verdict}
    if not lacking:
        return composed
    recorded: dict[str, str] = {}
    with open_results(query) as opened, contextlib.suppress(InputError):
        recorded = failures(opened.documents(results.configuration), lacking)
    reasons = {fingerprint: recorded.get(fingerprint, UNKNOWN) for fingerprint in lacking}
    rows = ([replace(row, verdict=reasons.get(row.fingerprint, row.verdict)) for row in each.rows] for each in composed)
    return [replace(estimate, rows=tuple(explained)) for estimate, explained in zip(composed, rows, strict=True)]


def stored(compositions: "Sequence[Composition]", query: SystemQuery, **how: Any) -> "SystemResults":
    """Return a system's stored measurements of the layer sequences in some networks; see ``stored_each``."""
    (results,) = stored_each([compositions], query, **how)
    return results


def stored_each(
    groups: "Sequence[Sequence[Composition]]",
    query: SystemQuery,
    *,
    allow_mismatch: bool = False,
    everything: bool = False,
    tell: Callable[[str], None] = silent,
) -> "list[SystemResults]":
    """Return a system's stored measurements for each group of networks (lists of layer sequences), by one query.

    For lowered networks, only results with the same version of the runtime and the same instruction set are used. The
    network's file states both; otherwise those of this machine count. All lowered networks must have the same target,
    and the first group must not be empty.

    Of several matching configurations, that which covers most is taken, and ``tell`` gets a remark. If none matches,
    ``allow_mismatch`` permits the nearest one. ``everything`` fetches all measurements.
    """
    from dlbricks.store.records import SeveralMatchError

    lowered = next((each for group in groups for each in group if each.target != PORTABLE), groups[0][0])
    made_for = lowered.made_for
    if made_for is None and lowered.target != PORTABLE:
        from dlbricks.model.lowering.targets import this_machine

        made_for = this_machine(lowered.target)
    if made_for is not None:
        # another version or instruction set would give the lowered graph other sequences
        query = replace(query, lowered_by=made_for.runtime, instruction_set=made_for.instruction_set)
    sequences = [[part for each in group for part in (*each.steps, *each.pairs)] for group in groups]
    names = [{name for part in parts for name in (part.fingerprint, part.without_bias)} for parts in sequences]
    wanted = [None] * len(names) if everything else names
    try:
        with open_results(query) as opened:
            each = opened.results_each(query, wanted, allow_mismatch=allow_mismatch)
    except SeveralMatchError as several:
        if len(several.matching) == 1:
            raise
        exact = [exactly(query, own) for own in sorted(several.matching, reverse=True)]
        return _covering_most(groups, [stored_each(groups, own, everything=everything) for own in exact], tell)
    return [_looked_up(results, parts) for results, parts in zip(each, sequences, strict=True)]


def exactly(query: SystemQuery, own: "SystemConfiguration") -> SystemQuery:
    """Return the query for a configuration only."""
    return replace(query, system=own.system, provider=own.provider, threads=own.threads, runtime=own.runtime)


def _covering_most(
    groups: "Sequence[Sequence[Composition]]", answers: "Sequence[list[SystemResults]]", tell: Callable[[str], None]
) -> "list[SystemResults]":
    # Return the results of the configuration that covers most layers. If several do, the fewest brief measurements
    # decide, then the fewest threads.
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.store.records import listed

    def rank(answer: "list[SystemResults]") -> tuple[int, int, int, bool]:
        own = answer[0].configuration
        of = [network for each in zip(groups, answer, strict=True) for network in cover(*each).networks]
        brief = sum(network.smoke_sequences for network in of)
        return sum(network.covered_layers for network in of), -brief, -own.threads, own.runtime.startswith(USUAL)

    ranked = sorted(answers, key=rank, reverse=True)
    own, *others = (answer[0].configuration for answer in ranked)
    tell(f"{own.system}: results with {listed([own])}; also measured: {listed(others)}")
    alike = tuple(each[0].configuration for each in ranked[1:] if rank(each)[0] == rank(ranked[0])[0])
    return [replace(results, others=alike) for results in ranked[0]]


def _looked_up(results: "SystemResults", sequences: "Sequence[PlacedSequence]") -> "SystemResults":
    # Add the measurements of sequences that were measured as another one.
    measured = results.measurements
    more = {part.fingerprint: measured[name] for part in sequences if (name := part.measured_as(measured)) in measured}
    return replace(results, measurements=measured | more)


def traces_of(
    compositions: "Sequence[Composition]", results: "SystemResults", query: SystemQuery
) -> "dict[str, Trace]":
    """Return the stored traces of the layer sequences in some networks, by fingerprint."""
    from dlbricks.trace.onnxruntime import first_traces

    fingerprints = {step.fingerprint for composition in compositions for step in composition.steps}
    with open_results(query) as opened:
        return first_traces(opened.documents(results.configuration), fingerprints)


def coverage(
    models: Sequence[str], settings: SplitSettings, query: SystemQuery, tell: Callable[[str], None] = silent
) -> "Coverage":
    """Return how much of some networks a system has measured, and which layer sequences are missing."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover

    splits, left_out = measured_splits(models, settings, [query], tell)
    compositions = [compose(split) for split in splits.values()]
    return replace(cover(compositions, stored(compositions, query, tell=tell)), left_out=left_out)
