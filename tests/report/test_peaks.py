"""Roofs as a table."""

import io

from dlbricks.profile.types import Roofs
from dlbricks.report.console import show
from dlbricks.report.profiles import roofs_report


def text(roofs: Roofs) -> str:
    """Give what is printed."""
    stream = io.StringIO()
    show(*roofs_report(roofs), file=stream)
    return stream.getvalue()


def test_measured_and_stated_side_by_side() -> None:
    """Both are shown with their units and what the one is of the other; what is not known is left empty."""
    shown = text(
        Roofs(
            device="NVIDIA H200",
            flops_per_s={"float32": 50e12, "float16": 700e12},
            copied_bytes_per_s=4e12,
            stated_flops_per_s={"float32": 67e12, "int8": 1979e12},
            stated_bytes_per_s=4.8e12,
            source="NVIDIA H200 data sheet",
        )
    )
    lines = {line.split("  ")[0].strip(): line for line in shown.splitlines()}
    for figure in ("50 Tflop/s", "67 Tflop/s", "75 %"):
        assert figure in lines["product of float32"]
    assert "%" not in lines["product of float16"]
    assert "%" not in lines["product of int8"]
    assert "83 %" in lines["copy"]
    assert "12.5 flop/B" in shown
    assert "stated: NVIDIA H200 data sheet" in shown


def test_without_stated_ones_no_source_is_named() -> None:
    """What makers do not state is not made up."""
    shown = text(Roofs(device="processor, 1 thread", flops_per_s={"float32": 1e11}, copied_bytes_per_s=2e10))
    assert "stated:" not in shown
    assert "100 Gflop/s" in shown
    assert "5 flop/B" in shown
