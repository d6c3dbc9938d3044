import re
import sys
from pathlib import Path
from types import FrameType

import dlbricks as package
from tests.cli.invoking import Run

ROOT = Path(package.__file__).parent
DESIGN = Path(__file__).parents[2] / "docs" / "design.md"
NETWORK = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


def test_an_estimate_goes_through_the_modules_that_the_design_lists(dlbricks: Run) -> None:
    """Each module of the list exists, and runs when the latency of a network is estimated; there are fewer than 20."""
    listed = re.search(
        r"`dlbricks estimate` goes through these modules[^:]*:(.*?)\.\n\n", DESIGN.read_text(), re.DOTALL
    )
    assert listed is not None
    spine = re.findall(r"`([\w/]+)`", listed[1])
    assert len(spine) == len(set(spine)) < 20
    dlbricks("generate", NETWORK, "-o", "suite")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke", "--only", "LSTM")
    dlbricks("submit", "r.json", "--suite", "suite")
    ran = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        dlbricks("estimate", NETWORK, "--system", "here", "--allow-missing")
    finally:
        sys.setprofile(before)
    assert [name for name in spine if str(ROOT / f"{name}.py") not in ran] == []
