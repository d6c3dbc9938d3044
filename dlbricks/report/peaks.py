"""A table of the roofs of a machine: measured, beside what is stated of it."""

from rich.console import RenderableType

from dlbricks.profile.nouns import Roofs
from dlbricks.report.console import table


def roofs_report(roofs: Roofs) -> list[RenderableType]:
    """Show every rate that was measured or is stated, and where the stated ones are from."""
    made = table("roof", ">measured", ">stated", ">share")
    dtypes = list(dict.fromkeys([*roofs.flops_per_s, *roofs.stated_flops_per_s]))
    for dtype in dtypes:
        stated = roofs.stated_flops_per_s.get(dtype)
        made.add_row(f"product of {dtype}", *_row(roofs.flops_per_s.get(dtype), stated, "flop/s"))
    made.add_row("copy", *_row(roofs.copied_bytes_per_s, roofs.stated_bytes_per_s, "B/s"))
    items: list[RenderableType] = [f"roofs of {roofs.device}", made]
    intensity = roofs.ideal_intensity()
    if intensity is not None:
        items.append(f"float32: above {intensity:.3g} flop/B arithmetic is the limit, below it memory")
    return [*items, f"stated: {roofs.source}"] if roofs.source else items


def _row(measured: float | None, stated: float | None, unit: str) -> tuple[str, str, str]:
    share = f"{100 * measured / stated:.0f} %" if measured and stated else ""
    return _rate(measured, unit), _rate(stated, unit), share


def _rate(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    scale, prefix = (1e12, "T") if value >= 1e12 else (1e9, "G")
    return f"{value / scale:.4g} {prefix}{unit}"
