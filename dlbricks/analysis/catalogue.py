"""Catalogue of the analyses of one profile, in display order."""

from collections.abc import Sequence

from dlbricks.analysis import device_time, kernels, layers, runs
from dlbricks.analysis.table import Analysis
from dlbricks.errors import InputError
from dlbricks.extensions import extensions

_MODULES = (runs, layers, kernels, device_time)
_DEFINED = {each.id: each for module in _MODULES for each in vars(module).values() if isinstance(each, Analysis)}
_BEYOND = ("overhead", "critical-path", "headroom", "memory", "launch-bound", "overlap", "collectives", "counters")
# The fifteen analyses of XSP (IPDPS 2020), Table I and section III-D.
XSP: tuple[Analysis, ...] = tuple(_DEFINED[f"A{number}"] for number in range(1, 16))
# All analyses of one profile; those of several profiles are ``comparison.networks_table`` and ``comparison.compare``.
ANALYSES = (*XSP, *(_DEFINED[name] for name in _BEYOND))


def chosen(ids: Sequence[str]) -> tuple[Analysis, ...]:
    """Return the analyses with these ids, in catalogue order, those of extensions last; all without ids.

    Raises:
        InputError: an id is unknown, or an extension uses the id of another analysis.
    """
    analyses = {analysis.id.lower(): analysis for analysis in ANALYSES}
    for analysis in extensions("dlbricks.analyses", Analysis):
        if analyses.setdefault(analysis.id.lower(), analysis) is not analysis:
            raise InputError(f"an extension: there is an analysis '{analysis.id}' already, give it another id")
    for name in ids:
        if name.lower() not in analyses:
            known_ids = ", ".join(analysis.id for analysis in analyses.values())
            raise InputError(f"unknown analysis '{name}': choose from {known_ids}")
    wanted = {name.lower() for name in ids}
    return tuple(analysis for key, analysis in analyses.items() if not wanted or key in wanted)
