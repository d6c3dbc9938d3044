import sys
from pathlib import Path

import pytest

from dlbricks.errors import MissingDependencyError
from dlbricks.report.plots import save_validation_plot
from tests.report.shown import networks

NETWORKS = [("small", 1_000_000, 1_300_000), ("middle", 20_000_000, 19_000_000), ("large", 400_000_000, 401_000_000)]


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("count", [1, 3])
def test_a_picture_is_drawn(tmp_path: Path, suffix: str, count: int) -> None:
    """One network or many, bitmap or vector: the file is a picture of its kind."""
    path = tmp_path / f"plot.{suffix}"
    save_validation_plot(networks(NETWORKS[:count]), path)
    begin = path.read_bytes()[:100]
    assert begin.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")


def test_a_missing_matplotlib_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the message says which one brings it, and nothing is written."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r"dlbricks\[plot\]"):
        save_validation_plot(networks(NETWORKS), tmp_path / "plot.png")
    assert list(tmp_path.iterdir()) == []
