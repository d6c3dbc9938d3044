import ast
import re
import sys
from pathlib import Path
from types import FrameType

import dlbricks as package
from tests.cli.invoking import Run

ROOT = Path(package.__file__).parent
DESIGN = Path(__file__).parents[2] / "docs" / "architecture.md"
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


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Return the modules of the package that a module imports, imports inside of functions counted."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(ROOT.parent).parts[: -node.level] if node.level else ()
            stem = ".".join((*package, *([node.module] if node.module else ())))
            full = {f"{stem}.{alias.name}": stem for alias in node.names}
            names |= {name if name in modules else stem for name, stem in full.items()}
    return names & modules


def test_an_estimate_can_reach_few_modules() -> None:
    """What only other commands need is behind no import of ``estimate``, not even one inside of a function."""
    paths = {
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in ROOT.rglob("*.py")
    }
    reached, waiting = set[str](), ["dlbricks.cli.estimates"]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += imports_of(paths[module], set(paths))
    assert len(reached) <= 120
    assert not [
        name for name in reached if name.startswith(("dlbricks.whatif", "dlbricks.profile", "dlbricks.suite.g"))
    ]
