"""The screen on where the time of a step goes says what whatif says, adds up, and fits a terminal."""

import io
import os
from pathlib import Path

import pytest

from dlbricks.analysis.breakdown import breakdown
from dlbricks.analysis.table import Breakdown
from dlbricks.profile.open import read_any
from dlbricks.report.console import show
from dlbricks.report.tables import breakdown_report
from dlbricks.trace.types import Profile
from dlbricks.whatif.answer import ask
from dlbricks.whatif.sources import graph_of_profile
from tests.analysis.made_up import K, L, made_up
from tests.whatif.kineto_files import rank_file

FAULTS = Path(__file__).parents[1] / "data" / "faults"
TRAINING = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"
LINES = 50
GOLDEN = """\
kineto_cpu_training: 1.535 ms per step, median of 2 steps
time: operators 43 %, between layers 40 %, loading 17 %
critical path of the step: between layers 40 %, loading 17 %, mul_ 11 %, conv2d 9 %, ConvolutionBackward0 9 %,
AddmmBackward0 4 %, others 11 %
layers by time, 10 of 63
operators by time, 10 of 18
aten::mul_ 4 163.3 us 21.4 %
aten::conv2d 1 139 us 18.2 %
ConvolutionBackward0 1 134.2 us 17.6 %
"""


def lines_of(name: str, found: Breakdown, width: int = 80) -> list[str]:
    """Print a screen and wrap its lines as a terminal does."""
    stream = io.StringIO()
    show(*breakdown_report(name, found), file=stream, width=width)
    return [line[at : at + width] for line in stream.getvalue().splitlines() for at in range(0, len(line) or 1, width)]


def checked(profile: Profile) -> Breakdown:
    """Compare a screen with the answer of whatif, and check that it adds up and fits."""
    found = breakdown(profile)
    now = ask(graph_of_profile(profile, ""), []).answer.before
    assert (found.time_ns, found.steps) == (now.time_ns, len(now.steps_ns))
    assert sum(found.path_ns.values()) == pytest.approx(sum(now.shares_ns.values()), abs=5)
    assert sum(found.shares_ns.values()) == pytest.approx(now.time_ns, abs=5)
    assert min((*found.shares_ns.values(), *found.waits_ns.values())) >= 0
    assert sum(found.waits_ns.values()) <= now.time_ns
    for table in found.tables:
        assert len(table) <= 10
        (share,) = (column for column in table.columns if column.name.startswith("share_of_"))
        assert all(0 <= float(cell or 0) <= 100 for cell in share.cells)
    assert len(lines_of(profile.network, found)) <= LINES - 1  # the command adds a line
    return found


def test_the_screen_of_a_training_on_a_processor() -> None:
    """A golden text: time, shares and path are those of whatif, names lose what tells nothing."""
    found = checked(read_any(TRAINING))
    words = " ".join(" ".join(lines_of("kineto_cpu_training", found, 400)).split())
    for line in GOLDEN.replace(" %,\nA", " %, A").splitlines():
        assert line in words


def test_the_screen_of_a_rank_on_a_device(tmp_path: Path) -> None:
    """A step of 900 us: a kernel of 375 us from 20 us on, then a collective until 800 us; the host waits for both."""
    found = breakdown(read_any(rank_file(tmp_path / "rank0.json", 0, 400)))
    assert (found.unit, found.steps, found.time_ns) == ("step", 1, 900_000)
    assert found.shares_ns == {"communication": 400_000, "compute": 375_000, "idle": 125_000}
    assert sum(found.waits_ns.values()) == 125_000
    assert "Python and framework between operators" in lines_of("rank0", found)[2]
    times = [found.tables[0].column("latency_ns").cells, found.tables[1].column("device_ns").cells]
    assert times == [(400_000, 375_000)] * 2
    assert found.tables[1].column("type").cells == ("outside operators", "aten::mm")
    assert any("share of step" in line for line in lines_of("rank0", found))


def test_work_of_layers_on_a_device() -> None:
    """Calls of a profile: what is not traced is stated beside, device time counts for the operator that launched it."""
    layers = [
        L(name="a", ns=100, kernels=(K(ns=60), K(name="copy", kind="memcpy", at=80, ns=10))),
        L(name="b", type="Relu", ns=80, kernels=(K(name="relu"),)),
    ]
    found = checked(made_up(layers))
    assert (found.unit, found.untraced_ns) == ("call", 1000)
    assert found.shares_ns["compute"] == 110
    assert found.shares_ns["copies"] == 10
    assert found.tables[1].column("type").cells == ("Conv", "Relu")
    assert found.tables[1].column("device_ns").cells == (70, 50)


def test_a_screen_says_that_recording_lengthened_the_hosts_times() -> None:
    """Operators take longer on the host than the call, which is scaled to its time without recording."""
    profile = read_any(Path(__file__).parents[1] / "data" / "h200" / "resnet50.profile.json.gz")
    found = breakdown(profile)
    cells = [int(str(cell)) for cell in found.tables[1].column("host_ns").cells if cell is not None]
    assert sum(cells) > found.time_ns
    assert found.notes[0] == (
        "recording changed the time of calls by +86.8%: times of the host are scaled by 0.53 (tables: as recorded)"
    )
    assert found.notes[0] in " ".join(lines_of(profile.network, found, 400))


def test_what_cannot_be_replayed_has_time_and_reason() -> None:
    """Calls alone have a median; the reason why there is no more is a note."""
    found = breakdown(made_up([L(name="a")], levels="M"))
    assert found.time_ns == 1000
    assert not found.path_ns
    assert "has no run with layers or kernels" in found.notes[0]


@pytest.mark.skipif("DLBRICKS_TRACES" not in os.environ, reason="DLBRICKS_TRACES names no folder of public traces")
def test_screens_of_public_traces() -> None:
    """Each says what whatif says and fits a screen."""
    for path in sorted(Path(os.environ["DLBRICKS_TRACES"]).rglob("*.json.gz")):
        checked(read_any(path, checked=False))


def test_time_that_the_screen_leaves_out_is_stated() -> None:
    """Its total and shares are of less than the whole trace, of which the tables are: it says by how much."""
    screen = breakdown(read_any(FAULTS / "f9_rank0.json"))
    assert screen.time_ns == 206_000
    assert screen.notes[0] == (
        "work launched before the trace kept a device busy for 2.485 ms: this time is left out (tables: as recorded)"
    )
