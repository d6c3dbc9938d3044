"""Tables of networks, generated suites, granularities and leakage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType

from dlbricks.construct.granularity import GranularityRow, GranularityTable
from dlbricks.construct.inspection import Inspection
from dlbricks.files import writing
from dlbricks.leakage.evaluation import Identification, Leakage, conclusion
from dlbricks.report.console import rows_table, table
from dlbricks.report.plots import require_matplotlib
from dlbricks.suite.manifest import NetworkReport, Suite
from dlbricks.units import counted, format_bytes, format_ns

_OPERATORS_SHOWN = 12
_LAYERS_SHOWN = 5000


def inspection_report(inspections: Sequence[Inspection], *, layers: bool = False) -> list[RenderableType]:
    """Show networks in one table; details for a single one, or for all with ``layers``."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for one in inspections:
            items += _details(one, layers=layers)
    items += [
        f"warning: {one.network} is not a valid ONNX network (onnx.checker): {one.invalid}"
        for one in inspections
        if one.invalid
    ]
    items += [
        f"{one.network}: {counted(count, 'layer')} cannot be part of a benchmark: {reason}"
        for one in inspections
        for reason, count in one.skipped
    ]
    return items


def _overview(inspections: Sequence[Inspection]) -> RenderableType:
    return rows_table(
        inspections,
        {
            "network": lambda one: one.network,
            ">in file": lambda one: str(one.source_layers),
            ">folded": lambda one: str(one.folded),
            ">layers": lambda one: str(one.layers),
            ">views": lambda one: str(one.views),
            ">sequences": lambda one: str(one.sequences),
            ">unique sequences": lambda one: str(one.unique_sequences),
            ">GFLOP": lambda one: f"{one.flops / 1e9:.3f}",
            ">parameters": lambda one: format_bytes(one.parameter_bytes),
            ">activations": lambda one: format_bytes(one.activation_bytes),
            ">skipped layers": lambda one: str(sum(count for _, count in one.skipped)),
        },
    )


def _details(one: Inspection, *, layers: bool) -> list[RenderableType]:
    shown = ", ".join(f"{name} {count}" for name, count in one.operators[:_OPERATORS_SHOWN])
    more = len(one.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{one.network}: target {one.target}, H {one.granularity}, splitter {one.splitter}",
        f"  inputs     {', '.join(one.inputs)}",
        f"  outputs    {', '.join(one.outputs)}",
        f"  operators  {shown}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if not layers:
        return items
    made = rows_table(
        one.layer_facts[:_LAYERS_SHOWN],
        {
            "layer": lambda facts: facts.name,
            "operator": lambda facts: facts.operator,
            ">sequence": lambda facts: str(facts.sequence),
            "outputs": lambda facts: " ".join(facts.outputs),
            ">MFLOP": lambda facts: f"{facts.flops / 1e6:.2f}",
            ">all Mop": lambda facts: _known(facts.operations, lambda number: f"{number / 1e6:.2f}"),
            ">weights": lambda facts: format_bytes(facts.weight_bytes),
            ">read": lambda facts: _known(facts.read_bytes, format_bytes),
            ">written": lambda facts: _known(facts.written_bytes, format_bytes),
            "skipped": lambda facts: facts.skip or "",
        },
    )
    total = len(one.layer_facts)
    hidden = [f"the first {_LAYERS_SHOWN:,} of {total:,} layers; --json lists all"] if total > _LAYERS_SHOWN else []
    return [*items, made, *hidden]


def _known(value: int | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else shown(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """Summary of a written suite."""

    suite: str
    """Folder or archive."""
    name: str
    digest: str
    granularity: str
    benchmarks: int
    pairs: bool
    """Whether pairs of adjacent sequences are measured, too."""
    networks: tuple[NetworkReport, ...]


def generated(suite: Suite, reports: Sequence[NetworkReport], place: Path, *, pairs: bool) -> GeneratedSuite:
    """Summarise a written suite."""
    return GeneratedSuite(
        suite=str(place),
        name=suite.name,
        digest=suite.digest,
        granularity=suite.granularity,
        benchmarks=len(suite.benchmarks),
        pairs=pairs,
        networks=tuple(reports),
    )


def generated_report(suite: Suite, reports: Sequence[NetworkReport], place: Path) -> list[RenderableType]:
    """Show the networks and the contents of a written suite."""
    paired = any(one.pairs for one in reports)
    columns: dict[str, Callable[[NetworkReport], str]] = {
        "network": lambda one: one.network,
        ">in file": lambda one: str(one.source_layers),
        ">folded": lambda one: str(one.folded),
        ">layers": lambda one: str(one.layers),
        ">sequences": lambda one: str(one.sequences),
        ">unique sequences": lambda one: str(one.unique_sequences),
        **({">pairs": lambda one: str(one.pairs)} if paired else {}),
        ">skipped layers": lambda one: str(sum(count for _, count in one.skipped)),
    }
    made = rows_table([one for one in reports if not one.unsupported], columns)
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items: list[RenderableType] = [made]
    items += [
        f"{one.network}: {counted(count, 'layer')} left out: {reason}"
        for one in reports
        for reason, count in one.skipped
    ]
    items += [f"{one.network}: no cover has {', '.join(one.uncovered)}" for one in reports if one.uncovered]
    items.append(
        f"{place}: {counted(len(sequences), 'unique sequence')}{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} are created on the first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"without a reference output to compare with: {counted(unsure, 'sequence')}")
    return items


def granularity_report(made: GranularityTable) -> list[RenderableType]:
    """Show one row per granularity and the choice."""
    shown = rows_table(
        made.rows,
        {
            "H": lambda row: row.granularity,
            "composed": lambda row: row.rule if row.composed else "",
            ">benchmarks": lambda row: str(row.benchmarks),
            ">uses": lambda row: str(row.uses),
            ">reuse": lambda row: f"{row.reuse:.2f}",
            ">measuring": lambda row: f"{row.cost_ns / 1e9:.1f} s",
            ">expected error": lambda row: f"{row.error:.1%} ± {row.standard_error:.1%}",
            ">worst": lambda row: f"{row.worst_error:.1%}",
            "": lambda row: "chosen" if row == made.chosen else "" if row.composed else "whole networks",
        },
        keys=2,
    )
    return [
        f"{counted(made.network_count, 'network')}, target {made.target}",
        shown,
        chosen_line(made),
        f"errors and measuring times from {made.evidence}",
    ]


def chosen_line(made: GranularityTable) -> str:
    """Describe the chosen granularity, its expected error, and the options for estimates."""
    row = made.chosen
    return (
        f"-H auto is {_options(row)}: {counted(row.benchmarks, 'benchmark')} in about {format_ns(row.cost_ns)}, "
        f"expected error {row.error:.1%}; estimate with -H {row.granularity} --rule {row.rule}"
    )


def _options(row: GranularityRow) -> str:
    return f"-H {row.granularity}{' --pairs' if row.rule == 'pairs' else ''}"


_TRUE, _OTHER = "#c1440e", "#9aa5b1"


def leakage_report(made: Leakage) -> list[RenderableType]:
    """Show the ranking of public networks, the result and cost of every attack, and a summary sentence."""
    ranked = table("public network", ">in the suite", "")
    for one in made.identification.ranked:
        ranked.add_row(one.network, f"{one.score:.1%}", "true" if one.network in made.true else "")
    attacks = table("attack", ">result", "what it means")
    for row in _rows(made):
        attacks.add_row(*row)
    cost = f"suite {made.suite}: {counted(made.pieces, 'sequence')}, about {made.cost_ns / 60e9:.1f} min of measuring"
    if made.true:
        cost += f", {made.added_cost_ns / 60e9:.1f} min of it for {counted(made.added, 'sequence')} of added networks"
    return [cost, ranked, attacks, conclusion(made)]


def _rows(made: Leakage) -> list[tuple[str, str, str]]:
    rows = [
        ("public networks found completely", str(made.identification.whole), f"of {made.zoo}"),
        *_chances("identification", made.identification),
        *_chances("identification with importances", made.with_importances),
        *_chances("identification by importances only", made.by_importances),
        ("nearest by layer types", f"{made.nearest.score:.0%}", _family(made)),
    ]
    for size in made.sizes:
        right = "" if size.chance is None else f"; right with a chance of {size.chance:.0%}"
        rows.append((size.figure, str(size.guess), f"of {counted(size.candidates, 'value')}{right}"))
    rows += [
        (f"depth of {one.network}", f"{one.left} of {one.of}", "numbers of blocks consistent with importances")
        for one in made.depths
    ]
    if made.joining is not None:
        joined = made.joining
        meaning = f"{joined.candidates:g} candidates per input, random choice; recall {joined.recall:.0%}"
        rows.append(("graph by joining shapes", f"{joined.precision:.0%}", meaning))
    if made.separation is not None:
        apart = made.separation
        meaning = (
            f"AUC; {apart.left} of {apart.others} added sequences remain if no true one is missed: "
            f"2^{apart.log2_candidates:.0f} candidates"
        )
        rows.append(("separating added from true sequences", f"{apart.area_under_curve:.2f}", meaning))
    return rows


def _chances(attack: str, found: Identification) -> list[tuple[str, str, str]]:
    if found.first is None or found.among_five is None:
        return [(attack, found.ranked[0].network, f"match of {found.ranked[0].score:.0%}")]
    meaning = f"probability that a true network ranks first; among the first five {found.among_five:.0%}"
    return [(attack, f"{found.first:.0%}", meaning)]


def _family(made: Leakage) -> str:
    right = {None: "", True: ", of the family of a true one", False: ", of another family than the true ones"}
    return f"{made.nearest.network}{right[made.family_right]}"


def save_leakage_plot(made: Leakage, path: Path) -> None:
    """Plot the share of each public network in the suite, true ones highlighted.

    Raises:
        MissingDependencyError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    require_matplotlib(path)
    from matplotlib.figure import Figure

    shown = list(reversed(made.identification.ranked))
    figure = Figure(figsize=(8, 1.2 + 0.3 * len(shown)), dpi=150, layout="constrained")
    axes = figure.subplots()
    colours = [_TRUE if one.network in made.true else _OTHER for one in shown]
    axes.barh(range(len(shown)), [100 * one.score for one in shown], color=colours)
    axes.set_yticks(range(len(shown)), [one.network for one in shown], fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the network's sequences in the suite, weighted by rarity, %")
    axes.set_title(conclusion(made), loc="left", fontsize=8, wrap=True)
    with writing(path) as scratch:
        figure.savefig(scratch)
