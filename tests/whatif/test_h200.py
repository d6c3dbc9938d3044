"""Calls of networks on an H200, recorded before and after they became CUDA graphs, against what the transform says."""

import tarfile
from pathlib import Path

import pytest

from dlbricks.whatif.answer import ask
from dlbricks.whatif.sources.load import graph_of_files
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import known

ARCHIVE = Path(__file__).parents[2] / "suites" / "results" / "nvidia-h200-traces.tar.xz"
NETWORKS = ("mbv3", "r18", "r50", "bert")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the traces of single calls."""
    made = tmp_path_factory.mktemp("h200")
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if "_infer_b1_" in member.name:
                content = archive.extractfile(member)
                assert content is not None
                (made / Path(member.name).name).write_bytes(content.read())
    return made


@pytest.mark.parametrize("network", NETWORKS)
def test_graphs_are_predicted_too_quick_by_a_quarter_at_most(folder: Path, network: str) -> None:
    """The recorded graph takes longer than predicted, as long as the device is busy at least, and less than before."""
    before, after = (graph_of_files([folder / f"{network}_infer_b1_{kind}.json"]) for kind in ("eager", "graph"))
    made = ask(before, [read_step("cuda-graphs", known())]).answer
    recorded = ask(after, []).answer.before.time_ns
    assert recorded < made.before.time_ns
    assert 0.75 * recorded < made.after.time_ns < recorded
