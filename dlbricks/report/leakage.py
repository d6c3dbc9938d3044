"""Tables of what a suite discloses."""

from rich.console import RenderableType

from dlbricks.leakage.evaluation import Identification, Leakage, conclusion
from dlbricks.report.console import table
from dlbricks.units import counted


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
