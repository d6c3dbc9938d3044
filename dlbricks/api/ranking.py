"""Estimates of networks on every known system: those of a store, and those of the bundle that ships with the package.

Each network is split once for each way in which suites of the systems were split.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dlbricks.api.estimates import (
    BUNDLE,
    agrees,
    estimates,
    measured_settings,
    open_results,
    preferred,
    shipped_bundle,
    split_options,
    store_exists,
)
from dlbricks.api.networks import Remarks, named, silent, split_among
from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.errors import HarnessError
from dlbricks.settings import SplitSettings, SystemQuery

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate
    from dlbricks.sequences.types import Split
    from dlbricks.store.bundle import PublishedSystem
    from dlbricks.store.types import SystemSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    query: SystemQuery
    facts: "PublishedSystem | SystemSummary"
    published: bool

    def __str__(self) -> str:
        own = self.facts.configuration
        return f"{own.system} ({own.runtime}, {own.provider}, threads {own.threads})"


# Errors of splitting a network; ``HarnessError`` if the runtime of a target is not installed.
_Errors: TypeAlias = DlbricksError | HarnessError
# Splits, or the errors of splitting, by network and settings.
_Splits: TypeAlias = "dict[tuple[Path, str], Split | _Errors]"


def ranked(
    models: Sequence[str], settings: SplitSettings, query: SystemQuery, tell: Callable[[str], None] = silent, **how: Any
) -> "list[list[Estimate]]":
    """Estimate networks (files, folders or globs) on all known systems that a query without a name matches.

    Sequences that a system has not measured are predicted from similar ones. ``tell`` gets a line for each network and
    system that is left out, with the reason. ``how`` are options of ``estimates``, such as ``rule``.

    Returns:
        For each network, a list of estimates, fastest first. At its end are estimates from smoke tests, then lower
        bounds, which lack sequences. Networks that cannot be split are left out.

    Raises:
        InputError: no system matches.
        DlbricksError: no network can be split; the first reason is raised.
    """
    by_network: dict[Path, list[Estimate]] = {}
    cache: _Splits = {}
    with named(models, settings, tell) as paths:
        for system in _known(query):
            splits = {path: split for path in paths if (split := _split(paths, path, settings, system, cache, tell))}
            try:
                how |= {"interpolate": True, "allow_mismatch": True, "reasons": False}
                results = estimates([*splits.values()], system.query, **how)[1] if splits else []
            except DlbricksError as error:
                tell(f"{system} is left out: {error}")
                continue
            name, published = system.facts.processor, system.published
            for path, each in zip(splits, results, strict=True):
                by_network.setdefault(path, []).append(replace(each, processor=name, published=published))
    errors = {path: error for (path, _), error in reversed(cache.items()) if isinstance(error, _Errors)}
    if not by_network and errors:
        raise errors[next(path for path in paths if path in errors)]
    if isinstance(tell, Remarks):
        without = (path for path in paths if path not in by_network)
        tell.left_out.update({str(path): str(errors.get(path, "every system is left out")) for path in without})
    return [sorted(by_network[path], key=_speed) for path in paths if path in by_network]


def _speed(estimate: "Estimate") -> tuple[bool, bool, bool, int]:
    bound, smoke = bool(estimate.missing) or estimate.bounds_only, bool(estimate.origin and estimate.origin.smoke)
    return not estimate.total_ns, bound, smoke, estimate.total_ns


def _known(query: SystemQuery) -> list[_System]:
    systems = list[_System]()
    named_bundle = bool(query.store and query.store.startswith(BUNDLE))
    if not named_bundle:
        shipped = replace(query, store=f"{BUNDLE}{shipped_bundle().place}")
        systems += [_System(query=shipped, facts=each, published=True) for each in shipped_bundle().systems()]
    if named_bundle or store_exists(query.store):
        with open_results(query) as opened:
            systems += [_System(query=query, facts=each, published=False) for each in opened.systems()]
    matching = [_exactly(each) for each in systems if _matches(query, each)]
    if not matching:
        wanted = {"provider": query.provider, "threads": query.threads, "runtime": query.runtime}
        conditions = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
        raise InputError(f"no known system has {conditions or 'results'}: 'dlbricks systems' lists those of the store")
    return matching


def _matches(query: SystemQuery, system: _System) -> bool:
    own = system.facts.configuration
    return (
        query.provider in (None, own.provider)
        and query.threads in (None, own.threads)
        and query.runtime in (None, own.runtime, *own.runtime.split())
    )


def _exactly(system: _System) -> _System:
    own = system.facts.configuration
    query = replace(system.query, system=own.system, provider=own.provider)
    return replace(system, query=replace(query, threads=own.threads, runtime=own.runtime))


def _split(
    paths: Sequence[Path],
    path: Path,
    settings: SplitSettings,
    system: _System,
    cache: _Splits,
    tell: Callable[[str], None],
) -> "Split | None":
    # Split a network as suites of a system were; None, after ``tell`` got the reason, if that is impossible.
    suites = [suite for suite in system.facts.settings if agrees(settings, suite)]
    if not suites:
        tell(f"{system} is left out: none of its suites was split as requested")
        return None
    fitting = []
    own = system.facts.configuration
    for each in measured_settings([path], settings, suites, threads=own.threads, processor=own.instruction_set):
        key = (path, f"{split_options(each)} --threads {each.threads} {' '.join(each.lowered_for)}")
        if key not in cache:
            try:
                cache[key] = split_among(paths, path, each)
            except (DlbricksError, HarnessError) as error:
                # the same reason holds for several numbers of threads
                if str(error) not in {str(other) for (at, _), other in cache.items() if at == path}:
                    tell(f"{path.name} is left out of systems with --target {each.target}: {error}")
                cache[key] = error
        if not isinstance(split := cache[key], _Errors):
            fitting.append((each, split))
    return preferred(fitting, [system.query])[1] if fitting else None
