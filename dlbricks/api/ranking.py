"""Estimates of networks on every known system: those of a store, and those of the bundle that ships with the package.

Each network is split once for each way in which suites of the systems were split.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dlbricks.api.estimates import (
    BUNDLE,
    agrees,
    alternatives,
    estimates,
    exactly,
    measured_settings,
    open_results,
    preferred,
    shipped_bundle,
    store_exists,
)
from dlbricks.api.networks import named
from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.cpu import BLOCKS, block_of
from dlbricks.harness.run.progress import silent
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.records import listed, mismatches

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate
    from dlbricks.store.bundle import PublishedSystem
    from dlbricks.store.types import SystemSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    query: SystemQuery
    facts: "PublishedSystem | SystemSummary"
    published: bool


def ranked(
    models: Sequence[str], settings: SplitSettings, query: SystemQuery, tell: Callable[[str], None] = silent, **how: Any
) -> "tuple[list[list[Estimate]], dict[str, str]]":
    """Estimate networks (files, folders or globs) on all known systems that a query without a name matches.

    Sequences that a system has not measured are predicted from similar ones. ``tell`` gets a line for each system that
    is left out, and for each reason why a network cannot be split as some were. ``how`` are options of ``estimates``.

    Returns:
        For each network, a list of estimates, fastest first. At its end are estimates from smoke tests, then lower
        bounds, which lack sequences. Also returns by file why networks are left out.

    Raises:
        InputError: no system matches.
        DlbricksError: no network can be split; the first reason is raised.
    """
    from dlbricks.construct.compose import compose

    by_network: dict[Path, list[Estimate]] = {}
    how |= {"interpolate": True, "allow_mismatch": True, "reasons": False, "composing": functools.cache(compose)}
    with named(models, settings, tell) as paths:
        systems = [(system, _candidates(paths, settings, system)) for system in known_systems(query)]
        every = [*chain.from_iterable(candidates for _, candidates in systems)]
        fitting, left_out = alternatives(paths, every, tell) if every else ({}, {})
        for system, candidates in systems:
            where = exactly(system.query, own := system.facts.configuration)
            chosen = {path: [each for each in splits if each[0] in candidates] for path, splits in fitting.items()}
            splits = {path: preferred(each, [where])[1] for path, each in chosen.items() if each}
            try:
                if not candidates:
                    raise InputError("none of its suites was split as requested")
                results = estimates([*splits.values()], where, **how)[1] if splits else []
            except DlbricksError as error:
                tell(f"{own.system} ({listed([own])}) is left out: {error}")
                continue
            name, published = system.facts.processor, system.published
            for path, each in zip(splits, results, strict=True):
                by_network.setdefault(path, []).append(replace(each, processor=name, published=published))
    without = {str(path): "every system is left out" for path in paths if path not in by_network}
    return [sorted(by_network[path], key=_speed) for path in paths if path in by_network], without | left_out


def _speed(estimate: "Estimate") -> tuple[bool, bool, bool, int]:
    bound, smoke = bool(estimate.missing) or estimate.bounds_only, bool(estimate.origin and estimate.origin.smoke)
    return not estimate.total_ns, bound, smoke, estimate.total_ns


def known_systems(query: SystemQuery) -> list[_System]:
    """Return the systems that a query without a name matches; raises ``InputError`` if there are none."""
    systems = list[_System]()
    named_bundle = bool(query.store and query.store.startswith(BUNDLE))
    if not named_bundle:
        shipped = replace(query, store=f"{BUNDLE}{shipped_bundle().place}")
        systems += [_System(query=shipped, facts=each, published=True) for each in shipped_bundle().systems()]
    if named_bundle or store_exists(query.store):
        with open_results(query) as opened:
            systems += [_System(query=query, facts=each, published=False) for each in opened.systems()]
    own = (each for each in systems if query.system in ("", each.facts.configuration.system))
    matching = [each for each in own if not mismatches(query, each.facts.configuration)]
    if not matching:
        wanted = {"provider": query.provider, "threads": query.threads, "runtime": query.runtime}
        conditions = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
        raise InputError(f"no known system has {conditions or 'results'}: 'dlbricks systems' lists those of the store")
    return matching


def _candidates(paths: Sequence[Path], settings: SplitSettings, system: _System) -> list[SplitSettings]:
    # Return the settings of those of a system's suites that were split as requested.
    own, suites = system.facts.configuration, [suite for suite in system.facts.settings if agrees(settings, suite)]
    # nothing else of a processor decides the graph of onnxruntime, so that systems with equal blocks share it
    code = BLOCKS.get(block_of(own.instruction_set) or 0, own.instruction_set)
    measured = measured_settings(paths, settings, suites, threads=own.threads, processor=code)
    return measured if suites else []
