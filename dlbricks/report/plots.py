"""The picture of a validation. Draws finished figures; matplotlib comes with the extra ``plot``."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dlbricks.construct.validation_nouns import ModelValidation, Validation
from dlbricks.errors import MissingDependencyError
from dlbricks.files import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK = "#222222"
_INSIDE = "#2a6f97"
_OUTSIDE = "#c1440e"
_BAND = 0.10
_NAMED = 6
_ROOM = 3.0
"""Free space at both ends of the logarithmic axes, as a factor: the names of outliers need it."""


def require_matplotlib() -> None:
    """Make sure that pictures can be drawn, before anything is measured for them.

    Raises:
        MissingDependencyError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        message = "drawing needs matplotlib: pip install 'dlbricks[plot]'"
        raise MissingDependencyError(message) from error
    mpl.use("Agg")


def save_validation_plot(validation: Validation, path: Path) -> None:
    """Draw estimated against measured latency with a ±10 % band, and beside it how the errors are distributed.

    Args:
        validation: at least one network.
        path: the picture; its ending (png, svg, pdf) decides the format.

    Raises:
        MissingDependencyError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.05, 1))
    _draw_scatter(left, validation.models)
    _draw_errors(right, validation)
    settings = validation.settings
    figure.suptitle(
        f"{settings.system}, {settings.runtime}, {settings.provider}, threads {settings.threads}: "
        f"target {settings.target}, H {settings.granularity}, {settings.rule}",
        color=_INK,
        fontsize=11,
    )
    with writing(path) as scratch:
        figure.savefig(scratch, metadata=_no_date(path.suffix))


def _no_date(suffix: str) -> dict[str, Any]:
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix.removeprefix("."), {})


def _error(one: ModelValidation) -> float:
    return one.ratio - 1


def _draw_scatter(axes: "Axes", models: Sequence[ModelValidation]) -> None:
    measured = [one.measured_ns / 1e6 for one in models]
    low, high = min(measured) / _ROOM, max(measured) * _ROOM
    axes.fill_between(
        [low, high],
        [low * (1 - _BAND), high * (1 - _BAND)],
        [low * (1 + _BAND), high * (1 + _BAND)],
        color="#d9e2ec",
        linewidth=0,
        label="±10 %",
    )
    axes.plot([low, high], [low, high], color=_INK, linewidth=0.8, label="estimated = measured")
    for one in models:
        inside = abs(_error(one)) <= _BAND
        axes.errorbar(
            one.measured_ns / 1e6,
            one.estimated_ns / 1e6,
            yerr=[[(one.estimated_ns - one.low_ns) / 1e6], [(one.high_ns - one.estimated_ns) / 1e6]],
            fmt="o",
            markersize=5,
            elinewidth=0.7,
            ecolor="#9aa5b1",
            color=_INSIDE if inside else _OUTSIDE,
            markeredgecolor="white",
            markeredgewidth=0.5,
        )
    for one in sorted(models, key=lambda one: -abs(_error(one)))[:_NAMED]:
        if abs(_error(one)) > _BAND:
            axes.annotate(
                one.model,
                (one.measured_ns / 1e6, one.estimated_ns / 1e6),
                textcoords="offset points",
                xytext=(8, -3) if _error(one) < 0 else (-8, 5),
                ha="left" if _error(one) < 0 else "right",
                fontsize=7.5,
                color=_INK,
            )
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("measured end to end, ms")
    axes.set_ylabel("estimated from the parts, ms")
    axes.legend(loc="upper left", frameon=False, fontsize=9)
    axes.grid(visible=True, which="major", color="#eeeeee", linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_errors(axes: "Axes", validation: Validation) -> None:
    from matplotlib.ticker import MaxNLocator

    errors = [100 * _error(one) for one in validation.models]
    reach = max(15.0, 5 * math.ceil(max(map(abs, errors)) / 5))
    step = 2.5 if reach <= 40 else 5.0 * math.ceil(reach / 100)
    count = math.ceil(reach / step)
    edges = [step * index for index in range(-count, count + 1)]
    axes.axvspan(-100 * _BAND, 100 * _BAND, color="#d9e2ec", linewidth=0)
    counts, _ = np.histogram(errors, bins=edges)
    colours = [_INSIDE if abs(left + step / 2) < 100 * _BAND else _OUTSIDE for left in edges[:-1]]
    axes.bar(edges[:-1], counts, width=step, align="edge", color=colours, edgecolor="white", linewidth=0.8)
    axes.axvline(0, color=_INK, linewidth=0.8)
    summary = validation.summary
    axes.set_title(
        f"{summary.models} networks: |error| median {summary.median_abs_error:.1%}, 90th percentile "
        f"{summary.p90_abs_error:.1%}, worst {summary.max_abs_error:.1%};\n"
        f"geometric mean ratio {summary.geomean_ratio:.3f}; {summary.interval_coverage:.0%} inside their interval",
        loc="left",
        fontsize=10,
        color=_INK,
    )
    axes.set_xlabel("error of the estimate, %  (below 0: estimated too fast)")
    axes.set_ylabel("networks")
    axes.set_xlim(edges[0], edges[-1])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
