"""Shows networks, suites that were generated of them, and the choice of a granularity, on a terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType

from dlbricks.construct.granularity import GranularityRow, GranularityTable
from dlbricks.construct.inspection import Inspection
from dlbricks.files import writing
from dlbricks.leakage.judge import Identification, Leakage, sentence
from dlbricks.report.console import table
from dlbricks.report.plots import require_matplotlib
from dlbricks.suite.manifest import NetworkReport, Suite
from dlbricks.units import counted, format_bytes, format_ns

_OPERATORS_SHOWN = 12
_LAYERS_SHOWN = 5000


def inspection_report(inspections: Sequence[Inspection], *, layers: bool = False) -> list[RenderableType]:
    """Show networks beside each other; a single one, or any with ``layers``, in full."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for one in inspections:
            items += _details(one, layers=layers)
    items += [
        f"warning: {one.network} is no valid ONNX network, says onnx.checker: {one.invalid}"
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
    made = table(
        "network", ">in file", ">folded", ">layers", ">views", ">sequences", ">unique sequences", ">GFLOP",
        ">parameters", ">activations", ">skipped layers",
    )  # fmt: skip
    for one in inspections:
        made.add_row(
            one.network,
            str(one.source_layers),
            str(one.folded),
            str(one.layers),
            str(one.views),
            str(one.sequences),
            str(one.unique_sequences),
            f"{one.flops / 1e9:.3f}",
            format_bytes(one.parameter_bytes),
            format_bytes(one.activation_bytes),
            str(sum(count for _, count in one.skipped)),
        )
    return made


def _details(one: Inspection, *, layers: bool) -> list[RenderableType]:
    shown = ", ".join(f"{name} {count}" for name, count in one.operators[:_OPERATORS_SHOWN])
    more = len(one.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{one.network}: target {one.target}, H {one.granularity}, splitter {one.splitter}",
        f"  inputs     {', '.join(one.inputs)}",
        f"  outputs    {', '.join(one.outputs)}",
        f"  operators  {shown}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if layers:
        figures = (">MFLOP", ">all Mop", ">weights", ">read", ">written")
        made = table("layer", "operator", ">sequence", "outputs", *figures, "skipped")
        for facts in one.layer_facts[:_LAYERS_SHOWN]:
            made.add_row(
                facts.name,
                facts.operator,
                str(facts.sequence),
                " ".join(facts.outputs),
                f"{facts.flops / 1e6:.2f}",
                _known(facts.operations, lambda number: f"{number / 1e6:.2f}"),
                format_bytes(facts.weight_bytes),
                _known(facts.read_bytes, format_bytes),
                _known(facts.written_bytes, format_bytes),
                facts.skip or "",
            )
        items.append(made)
        if len(one.layer_facts) > _LAYERS_SHOWN:
            items.append(f"the first {_LAYERS_SHOWN:,} of {len(one.layer_facts):,} layers; --json lists all")
    return items


def _known(value: int | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else shown(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """A suite that was written, and what became of each network."""

    suite: str
    """Folder or archive."""
    name: str
    digest: str
    granularity: str
    benchmarks: int
    pairs: bool
    """Whether unions of adjacent sequences are measured, too."""
    networks: tuple[NetworkReport, ...]


def generated(suite: Suite, reports: Sequence[NetworkReport], place: Path, *, pairs: bool) -> GeneratedSuite:
    """Sum up a suite that was written."""
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
    """Say what became of each network, and what the suite holds."""
    paired = any(one.pairs for one in reports)
    columns = (
        "network",
        ">in file",
        ">folded",
        ">layers",
        ">sequences",
        ">unique sequences",
        *([">pairs"] if paired else []),
    )
    made = table(*columns, ">skipped layers")
    for one in reports:
        if not one.unsupported:
            made.add_row(
                one.network,
                str(one.source_layers),
                str(one.folded),
                str(one.layers),
                str(one.sequences),
                str(one.unique_sequences),
                *([str(one.pairs)] if paired else []),
                str(sum(count for _, count in one.skipped)),
            )
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
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} appear on first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"without a reference output, so that answers are not compared: {counted(unsure, 'sequence')}")
    return items


def granularity_report(made: GranularityTable) -> list[RenderableType]:
    """Show a row for each granularity and say which one is chosen, and by what."""
    shown = table(
        "H", "composed", ">benchmarks", ">uses", ">reuse", ">measuring", ">expected error", ">worst", "", keys=2
    )
    for row in made.rows:
        shown.add_row(
            row.granularity,
            row.rule if row.composed else "",
            str(row.benchmarks),
            str(row.uses),
            f"{row.reuse:.2f}",
            f"{row.cost_ns / 1e9:.1f} s",
            f"{row.error:.1%} ± {row.standard_error:.1%}",
            f"{row.worst_error:.1%}",
            "chosen" if row == made.chosen else "" if row.composed else "networks in one piece",
        )
    return [
        f"{counted(made.network_count, 'network')}, target {made.target}",
        shown,
        chosen_line(made),
        f"errors and minutes as of {made.evidence}",
    ]


def chosen_line(made: GranularityTable) -> str:
    """Say which granularity is chosen, what to expect of it, and what estimates have to be asked with."""
    row = made.chosen
    return (
        f"-H auto is {_options(row)}: {counted(row.benchmarks, 'benchmark')} in about {format_ns(row.cost_ns)}, "
        f"expected error {row.error:.1%}; estimate with -H {row.granularity} --rule {row.rule}"
    )


def _options(row: GranularityRow) -> str:
    return f"-H {row.granularity}{' --pairs' if row.rule == 'pairs' else ''}"


_TRUE, _OTHER = "#c1440e", "#9aa5b1"


def leakage_report(made: Leakage) -> list[RenderableType]:
    """Show the ranking, then every attack with what it gave and what hiding costs, then one sentence."""
    ranked = table("public network", ">in the suite", "")
    for one in made.identification.ranked:
        ranked.add_row(one.network, f"{one.score:.1%}", "true" if one.network in made.true else "")
    attacks = table("attack", ">result", "what it means")
    for row in _rows(made):
        attacks.add_row(*row)
    cost = f"suite {made.suite}: {counted(made.pieces, 'sequence')}, about {made.cost_ns / 60e9:.1f} min of measuring"
    if made.true:
        cost += f", {made.added_cost_ns / 60e9:.1f} min of it for {counted(made.added, 'sequence')} of no true network"
    return [cost, ranked, attacks, sentence(made)]


def _rows(made: Leakage) -> list[tuple[str, str, str]]:
    rows = [
        ("public networks found whole", str(made.identification.whole), f"of {made.zoo}"),
        *_chances("identification", made.identification),
        *_chances("identification with importances", made.with_importances),
        *_chances("from importances alone", made.by_importances),
        ("nearest by kinds of layers", f"{made.nearest.score:.0%}", _family(made)),
    ]
    for size in made.sizes:
        right = "" if size.chance is None else f"; right with a chance of {size.chance:.0%}"
        rows.append((size.figure, str(size.guess), f"of {counted(size.candidates, 'value')}{right}"))
    rows += [
        (f"depth of {one.network}", f"{one.left} of {one.of}", "numbers of blocks that importances allow")
        for one in made.depths
    ]
    if made.joining is not None:
        joined = made.joining
        meaning = f"{joined.candidates:g} candidates for an input, one at random; recall {joined.recall:.0%}"
        rows.append(("graph by joining shapes", f"{joined.precision:.0%}", meaning))
    if made.separation is not None:
        apart = made.separation
        meaning = (
            f"AUC; {apart.left} of {apart.others} others remain where no true piece is missed: "
            f"2^{apart.log2_candidates:.0f} candidates"
        )
        rows.append(("telling others from true pieces", f"{apart.area_under_curve:.2f}", meaning))
    return rows


def _chances(attack: str, found: Identification) -> list[tuple[str, str, str]]:
    if found.first is None or found.among_five is None:
        return [(attack, found.ranked[0].network, f"fits by {found.ranked[0].score:.0%}")]
    meaning = f"chance that a true network comes first; among five {found.among_five:.0%}"
    return [(attack, f"{found.first:.0%}", meaning)]


def _family(made: Leakage) -> str:
    right = {None: "", True: ", of the family of a true one", False: ", of another family than the true ones"}
    return f"{made.nearest.network}{right[made.family_right]}"


def save_leakage_plot(made: Leakage, path: Path) -> None:
    """Draw how much of each public network is in the suite, true ones in another colour.

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
    axes.set_xlabel("share of the network's sequences in the suite, rare ones counting more, %")
    axes.set_title(sentence(made), loc="left", fontsize=8, wrap=True)
    with writing(path) as scratch:
        figure.savefig(scratch)
