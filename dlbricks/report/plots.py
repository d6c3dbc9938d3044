"""Plots of validations and of decoder timings, with matplotlib (extra ``plot``)."""

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dlbricks.construct.generation import Generation
from dlbricks.errors import InputError, missing_extra
from dlbricks.files import refuse_unwritable, writing
from dlbricks.units import counted, plain, shortened
from dlbricks.validate.types import NetworkValidation, Validation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_KINDS = (".png", ".svg", ".pdf")
_INK = "#222222"
_INSIDE = "#2a6f97"
_OUTSIDE = "#c1440e"
_PALE = "#9aa5b1"
_SHADE = "#d9e2ec"
_ROW_INCHES = 0.17
_LEAST_INCHES = 4.5
_LETTERS = 60
"""Most characters of a name in a plot."""
_BINS = 20
"""Most histogram bins on each side of 0."""


def require_matplotlib(path: Path) -> None:
    """Check that a plot can be written, before anything is measured for it.

    Raises:
        MissingDependencyError: matplotlib is not installed.
        InputError: the file cannot be written, or its suffix is not a known image format.
    """
    if path.suffix not in _KINDS:
        raise InputError(f"{path} has no known image format: use a name that ends in {', '.join(_KINDS)}")
    refuse_unwritable(path)
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise missing_extra("drawing needs matplotlib", "plot") from error
    mpl.use("Agg")
    mpl.rcParams["text.parse_math"] = False  # names may contain dollar signs


def save_validation_plot(validation: Validation, path: Path) -> None:
    """Plot the ratio of estimated to measured latency with intervals, and the distribution of errors.

    Args:
        validation: at least one network.
        path: image file; its suffix (png, svg, pdf) decides the format.

    Raises:
        MissingDependencyError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    require_matplotlib(path)
    from matplotlib.figure import Figure

    height = max(_LEAST_INCHES, 1.6 + _ROW_INCHES * len(validation.networks))
    figure = Figure(figsize=(12, height), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))
    _draw_ratios(left, validation)
    _draw_errors(right, validation)
    settings = validation.settings
    figure.suptitle(
        f"{_short(settings.system)}, {settings.runtime}, {settings.provider}, threads {settings.threads}: "
        f"target {settings.target}, H {settings.granularity}, {settings.rule}",
        color=_INK,
        fontsize=11,
    )
    _save(figure, path)


def save_sweep_plot(made: Sequence[Generation], path: Path) -> None:
    """Plot the time of the first token by prompt length, and of a step by context length.

    Args:
        made: at least one estimate.
        path: image file; its suffix (png, svg, pdf) decides the format.

    Raises:
        MissingDependencyError: matplotlib is not installed.
        InputError: the file cannot be written.
    """
    require_matplotlib(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = {step.past: step.time for one in made for step in one.steps}
    for axes, label, times in (
        (left, "tokens of the prompt", {one.prompt: one.first_token for one in made}),
        (right, "tokens before the step", steps),
    ):
        lengths = sorted(times)
        low, middle, high = (
            [getattr(times[length], name) / 1e6 for length in lengths] for name in ("low_ns", "middle_ns", "high_ns")
        )
        axes.fill_between(lengths, low, high, color=_SHADE)
        axes.plot(lengths, middle, "o-", color=_INSIDE, markersize=3)
        axes.set_xlabel(label)
        axes.set_ylabel("ms, with 90 % interval")
        axes.set_ylim(bottom=0)
        _plain_frame(axes)
    left.set_title("first token", fontsize=10)
    right.set_title("a step", fontsize=10)
    figure.suptitle(f"{_short(made[0].network)} on {_short(made[0].configuration.system)}", color=_INK, fontsize=11)
    _save(figure, path)


def _short(name: str) -> str:
    return plain(shortened(name, _LETTERS))


def _save(figure: "Figure", path: Path) -> None:
    with writing(path) as scratch, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # missing glyphs are drawn as boxes
        figure.savefig(scratch, metadata=_no_date(path.suffix))


def _no_date(suffix: str) -> dict[str, Any]:
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix.removeprefix("."), {})


def _inside(one: NetworkValidation) -> bool:
    return one.low_ns <= one.measured_ns <= one.high_ns


def _draw_ratios(axes: "Axes", validation: Validation) -> None:
    """One row per network, sorted; bars are the estimate's interval, shades that of the measurement."""
    models = sorted(validation.networks, key=lambda one: one.ratio)
    axes.axvline(0, color=_INK, linewidth=0.8)
    for row, one in enumerate(models):
        error, colour = 100 * (one.ratio - 1), _INSIDE if _inside(one) else _OUTSIDE
        low, high = (100 * (end / one.measured_ns - 1) for end in (one.low_ns, one.high_ns))
        own = 100 * one.measured_relative
        axes.barh(row, 2 * own, left=-own, height=0.9, color=_SHADE, zorder=0)
        axes.errorbar(
            error, row, xerr=[[error - low], [high - error]], fmt="o", markersize=4, elinewidth=0.8, color=colour
        )
        if one.baseline is not None:
            axes.plot(100 * (one.baseline.ratio - 1), row, "x", markersize=4, color=_PALE)
    axes.set_yticks(range(len(models)), [_short(one.network) for one in models], fontsize=7)
    axes.set_ylim(-0.7, len(models) - 0.3)
    axes.set_xlabel("estimated / measured - 1, %: dot with 90 % interval; shade: interval of the measurement")
    if validation.settings.baseline:
        axes.plot([], [], "x", markersize=4, color=_PALE, label="published recipe")
        axes.legend(loc="lower right", frameon=False, fontsize=8)
    _plain_frame(axes)


def _draw_errors(axes: "Axes", validation: Validation) -> None:
    from matplotlib.ticker import MaxNLocator

    errors = [100 * (one.ratio - 1) for one in validation.networks]
    published = [100 * (one.baseline.ratio - 1) for one in validation.networks if one.baseline is not None]
    reach = max(2.0, *map(abs, (*errors, *published)))
    step = next(size for size in (0.5, 1.0, 2.5, 5.0, 10.0, 25.0, reach) if reach / size <= _BINS)
    count = math.ceil(reach / step)
    edges = [step * index for index in range(-count, count + 1)]
    if published:
        axes.hist(published, bins=edges, color=_PALE, alpha=0.5, label="published recipe")
    axes.hist(errors, bins=edges, color=_INSIDE, edgecolor="white", linewidth=0.8, label="this estimate")
    if published:
        axes.legend(loc="upper right", frameon=False, fontsize=9)
    axes.axvline(0, color=_INK, linewidth=0.8)
    summary = validation.summary
    axes.set_title(
        f"{counted(summary.network_count, 'network')}: |error| median {summary.median_abs_error:.1%}, "
        f"p90 {summary.p90_abs_error:.1%}, worst {summary.max_abs_error:.1%}\n"
        f"bias {summary.bias:+.1%}; {summary.interval_coverage:.0%} inside their interval",
        loc="left",
        fontsize=10,
        color=_INK,
    )
    axes.set_xlabel("error of the estimate, %  (below 0: too fast)")
    axes.set_ylabel("networks")
    axes.set_xlim(edges[0], edges[-1])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    _plain_frame(axes)


def _plain_frame(axes: "Axes") -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
