"""How far a machine moved while it measured, told by the anchors of a run. Pure."""

import itertools
import statistics
from collections.abc import Mapping
from typing import Any

from dlbricks.harness.verdict import context

_THIRDS = 3


def anchor_drift(document: Mapping[str, Any]) -> float:
    """Give half the range of the anchors' medians over the first, middle and last third of a run, relative.

    Noise within a third does not count; a run with fewer visits to anchors than thirds tells nothing and gives 0.

    Args:
        document: a result document.
    """
    levels = context(document).anchor_levels
    if len(levels) < _THIRDS:
        return 0.0
    ends = [len(levels) * third // _THIRDS for third in range(_THIRDS + 1)]
    medians = [statistics.median(levels[begin:end]) for begin, end in itertools.pairwise(ends)]
    return (max(medians) - min(medians)) / 2
