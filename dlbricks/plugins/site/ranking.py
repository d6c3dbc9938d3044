"""The ranking of systems by the geometric mean of their latencies over a set of networks.

``site.js`` computes the same for the filters and networks that a reader chooses.
"""

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dlbricks.construct.estimate import STALE_DAYS, remarks
from dlbricks.construct.types import Composition, Estimate
from dlbricks.model.types import Model
from dlbricks.units import format_day, plain

# Options of runtimes that set the precision of arithmetic, such as OpenVINO's INFERENCE_PRECISION_HINT.
_PRECISION = re.compile(r"\w*precision\w*=(\S+)", re.IGNORECASE)
_FIELDS = (
    *("system", "runtime", "provider", "threads", "instruction_set", "options", "precision", "trust", "measured"),
    *("network", "latency_ns", "low_ns", "high_ns", "split", "rule", "remarks"),
)
# First characters of a text that spreadsheets take for a formula.
_FORMULA = ("=", "+", "-", "@")


class Place(NamedTuple):
    """Place of a system in a ranking. Times are geometric means in ns."""

    system: int
    first: int
    """Best rank that the intervals allow; ``last`` is the worst rank that they allow."""
    last: int
    ns: float
    low_ns: float
    high_ns: float


Times = Sequence[tuple[float, float, float] | None]
"""Latency of a system for each network, with both ends of the interval; None if unknown."""


def common_networks(systems: Sequence[Times]) -> list[int]:
    """Choose the networks of a ranking: the networks that all of the n systems with the most networks have.

    The number n maximises the number of common networks times (n - 1).
    """
    chosen, most, common = set[int](), -1, set[int]()
    measured = ({place for place, each in enumerate(times) if each} for times in systems)
    for count, own in enumerate(sorted(measured, key=len, reverse=True)):
        common = common & own if count else own
        if common and count * len(common) >= most:
            chosen, most = common, count * len(common)
    return sorted(chosen)


def ranking(systems: Sequence[Times], networks: Sequence[int]) -> list[Place]:
    """Rank the systems that have times of all ``networks``, the fastest system first."""
    means = list[tuple[int, tuple[float, float, float]]]()
    for system, times in enumerate(systems):
        chosen = [each for place in networks if (each := times[place])]
        if networks and len(chosen) == len(networks):
            logs = (sum(math.log(max(1, value)) for value in ends) / len(chosen) for ends in zip(*chosen, strict=True))
            ns, low_ns, high_ns = map(math.exp, logs)
            # an interval that begins at 0 says nothing, and so does a mean with it
            means.append((system, (ns, low_ns * all(low > 0 for _, low, _ in chosen), high_ns)))
    return [
        Place(
            system,
            1 + sum(high < low_ns for _, (_, _, high) in means),
            sum(low <= high_ns for _, (_, low, _) in means),
            *(ns, low_ns, high_ns),
        )
        for system, (ns, low_ns, high_ns) in sorted(means, key=lambda each: each[1][0])
    ]


def about(model: Model, composition: Composition) -> dict[str, Any]:
    """Describe a network: numbers of layers, sequences and operations, and the element type of most of its weights."""
    sizes = Counter[str]()
    for constant in model.constants.values():
        sizes[constant.spec.dtype] += constant.spec.nbytes
    return {
        "name": plain(model.name),
        "layers": composition.layers,
        "sequences": len({step.fingerprint for step in composition.steps}),
        "flops": sum(step.features.flops for step in composition.steps if step.features),
        "precision": max(sizes, key=sizes.__getitem__, default=""),
    }


def figure(estimate: Estimate, split: str, precision: str) -> dict[str, Any]:
    """Return the estimate of a network for the pages; an estimate without an interval is left out of rankings."""
    origin = estimate.origin
    ends = (None, None) if estimate.assumed_layers or estimate.bounds_only else (estimate.low_ns, estimate.high_ns)
    hints = [match[1] for option in estimate.configuration.options if (match := _PRECISION.fullmatch(option))]
    marks = ["smoke test"] if origin and origin.smoke else []
    marks += [f"{origin.days} days old"] if origin and origin.days > STALE_DAYS else []
    texts = [*remarks(estimate), *["only a lower bound of the latency is known"] * estimate.bounds_only]
    return {
        "ns": estimate.total_ns,
        "low": ends[0],
        "high": ends[1],
        "split": split,
        "rule": estimate.rule,
        "trust": origin.trust if origin else "",
        "measured": format_day(origin.newest_unix_ns) if origin else "",
        "precision": plain(hints[-1]) if hints else precision,
        "marks": marks,
        "remarks": [plain(text) for text in texts],
    }


def downloads(systems: Sequence[Mapping[str, Any]], networks: Sequence[str]) -> dict[str, str]:
    """Return the contents of ``results.csv`` and ``results.json``: a row for each estimate of a network on a system."""
    rows = [
        {
            **{name: system[name] for name in ("runtime", "provider", "threads", "instruction_set", "options")},
            **{name: each[name] for name in ("precision", "trust", "measured", "split", "rule")},
            "system": system["name"],
            "network": network,
            "remarks": "; ".join(each["remarks"]),
            "latency_ns": each["ns"],
            "low_ns": each["low"],
            "high_ns": each["high"],
        }
        for system in systems
        for network, each in zip(networks, system["figures"], strict=True)
        if each
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, _FIELDS)
    writer.writeheader()
    for row in rows:
        # the apostrophe keeps spreadsheets from executing texts of others
        odd = (name for name in ("system", "runtime", "provider", "options") if row[name].startswith(_FORMULA))
        writer.writerow(row | {name: f"'{row[name]}" for name in odd})
    ordered = [{name: row[name] for name in _FIELDS} for row in rows]
    return {"results.csv": text.getvalue(), "results.json": json.dumps(ordered, indent=1) + "\n"}
