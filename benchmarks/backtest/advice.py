"""How often ``whatif --advise`` names the best change first, or among the first two.

``python benchmarks/whatif.py advice`` measures nothing: 33 networks were measured before and after several changes
(``benchmarks/whatif_cpu.py``). Of each the graph of the run before is asked for advice. The order of the changes whose
truth was measured is compared with that truth.

So are the passes of a decoder on an H100 that ``backtest.mixed`` predicts: the same author measured them under
autocast and compiled, which gains less on each of them (``writeup/tables/compiled.tex``). Of these the place in all
advice counts.
"""

from collections import Counter

from backtest.learning import read_networks
from backtest.mixed import by_device, graph_of, table
from backtest.processor import CHANGES, MEASURED, TEACHERS
from dlbricks.whatif.answer import advise
from dlbricks.whatif.transforms import all_transforms

COMPILED = "dfrumkin"
"""Whose passes were compiled, too."""
BEFORE = ("all", "one")
"""Both are one thread and all optimisations, measured beside different variants."""
LEAST = 0.005
"""A gain that is one."""


def print_places() -> None:
    """Print a row for each network, and the shares."""
    counts: dict[str, Counter[str]] = {"all networks": Counter(), "of these, networks that taught nothing": Counter()}
    for name, variants in read_networks(MEASURED).items():
        truths = {
            change.transform.partition(":")[0]: 1
            - variants[change.after].latency_ns / variants[change.before].latency_ns
            for change in CHANGES.values()
            if change.before in BEFORE
            and change.transform
            and change.calls == 1
            and {change.before, change.after} <= set(variants)
        }
        if not truths:
            continue
        best = max(truths, key=truths.__getitem__)
        found, _ = advise(variants["all"].graph(name), all_transforms())
        order = [one.apply[0].partition(":")[0] for one in found.advice]
        order = [one for one in order if one in truths]
        place = order.index(best) + 1 if best in order else 0
        shown = ", ".join(f"{one} {truths[one]:.1%}" for one in order)
        print(f"{name}: best is {best} {truths[best]:.1%}, place {place or 'none'}; advised: {shown or 'nothing'}")
        for label, count in counts.items():
            if truths[best] >= LEAST and (label == "all networks" or name not in TEACHERS):
                count.update({"asked": 1, "first": place == 1, "first two": 0 < place < 3})
    for label, count in counts.items():
        print(f"{label}: {dict(count)}")
    passes()


def passes() -> None:
    """Print the place of autocast in what is advised for passes on a GPU."""
    rows = table()
    for one in rows:
        if one.source == COMPILED and by_device(one, rows):
            found, _ = advise(graph_of(one), all_transforms())
            order = [each.apply[0].partition(":")[0] for each in found.advice]
            ahead = "before" if order.index("amp") < [*order, "fuse"].index("fuse") else "behind"
            print(f"{one.size}, {one.tokens} tokens, {one.part}: amp is advice {order.index('amp') + 1}, {ahead} fuse")
