"""The Python API does what the command line does."""

import json
import lzma
import subprocess
import sys
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import dlbricks
from dlbricks.api import networks
from dlbricks.api.whatif import answer_whatif, transforms_by_name
from dlbricks.cli.app import main
from dlbricks.errors import DlbricksError, InputError
from dlbricks.settings import SplitSettings
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import submit
from dlbricks.suite.manifest import from_document
from dlbricks.whatif.answer import AdviceReport
from dlbricks.whatif.evidence import HOST, KERNELS, errors_of, interval_of

ROOT = Path(__file__).parents[1]
NETWORK = ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Generate, run and submit by the API; give the folder and the store."""
    folder = tmp_path_factory.mktemp("api")
    store = f"sqlite:///{folder / 'store.sqlite'}"
    suite = dlbricks.generate([NETWORK], folder / "suite", options=dlbricks.SuiteOptions(name="typed"))
    assert (suite.granularity, suite.name) == ("1", "typed")
    document = dlbricks.run(folder / "suite", folder / "result.json", dlbricks.RunOptions(name="here", smoke=True))
    assert document["complete"]
    assert dlbricks.submit(folder / "result.json", suite=folder / "suite", store=store).new
    return folder, store


def test_an_estimate_is_what_the_command_line_says(
    measured: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same network, system and store give the same latency and interval."""
    _, store = measured
    split = dlbricks.split(dlbricks.read(NETWORK))
    made = dlbricks.estimate(split, dlbricks.SystemQuery(system="here", store=store))
    with pytest.raises(SystemExit) as end:
        main(["estimate", str(NETWORK), "--system", "here", "--store", store, "--json"])
    assert end.value.code == 0
    [document] = json.loads(capsys.readouterr().out)["networks"]
    assert (document["total_ns"], document["low_ns"], document["high_ns"]) == (made.total_ns, made.low_ns, made.high_ns)
    assert not made.missing


def test_a_question_about_a_network_is_answered(measured: tuple[Path, str]) -> None:
    """Twice as quick layers make a composed network quicker."""
    _, store = measured
    split = dlbricks.split(dlbricks.read(NETWORK))
    system = dlbricks.SystemQuery(system="here", store=store)
    answer = dlbricks.what_if((), ["scale:0.5"], network=split, system=system)
    assert 0 < answer.gain < 0.501
    with pytest.raises(InputError, match="name a system"):
        dlbricks.what_if((), ["scale:0.5"], network=split)


def test_the_time_after_is_as_uncertain_as_the_estimate_and_the_gain_together(measured: tuple[Path, str]) -> None:
    """Low ends multiply, and high ends; the best of all changes has the answer that asking for it alone has."""
    split = dlbricks.split(dlbricks.read(NETWORK))
    system = dlbricks.SystemQuery(system="here", store=measured[1])
    estimate = dlbricks.estimate(split, system)
    answer = dlbricks.what_if((), ["int8"], network=split, system=system)
    assert answer.before.time_ns == estimate.total_ns
    assert answer.interval is not None
    assert answer.gain_low is not None
    assert answer.gain_high is not None
    shortest, longest = ((1 - gain) * answer.before.time_ns for gain in (answer.gain_high, answer.gain_low))
    assert answer.interval.low_ns == pytest.approx(shortest * estimate.low_ns / estimate.total_ns, abs=2)
    assert answer.interval.high_ns == pytest.approx(longest * estimate.high_ns / estimate.total_ns, abs=2)
    known, settings = transforms_by_name([]), SplitSettings()
    ranking, best = answer_whatif(
        [str(NETWORK)], [], known, advising=True, settings=settings, system=system, tell=print
    )
    assert isinstance(ranking, AdviceReport)
    assert best is not None
    apply = next(each.apply for each in ranking.advice if each.apply)
    assert best.answer == dlbricks.what_if((), apply, network=split, system=system)


def test_kernels_and_host_are_as_uncertain_as_their_estimates_and_the_change(tmp_path: Path) -> None:
    """As the whole is; kernels rest on the estimate of the device, the host on that of the whole."""
    result = json.loads(lzma.decompress((ROOT / "tests" / "data" / "attacked_runs.json.xz").read_bytes()))[-1]
    store = f"sqlite:///{tmp_path / 's.sqlite'}"
    with ResultStore.open(store, create=True) as opened:
        submit(opened, json.dumps(result).encode(), suite=from_document(result["suite"]["manifest"], "suite"))
    (network,) = (ROOT / "suites" / "smoke" / "networks").glob("5a5a9d41*.onnx")
    split = dlbricks.split(dlbricks.read(network, target="portable"), granularity=2)
    system = dlbricks.SystemQuery(system=result["system"]["name"], store=store)
    estimate = dlbricks.estimate(split, system)
    assert estimate.device is not None
    answer = dlbricks.what_if((), ["batch:8,from=1"], network=split, system=system)
    assert answer.before.time_ns == estimate.total_ns
    for part, estimated, of in ((answer.kernels, estimate.device, KERNELS), (answer.host, estimate, HOST)):
        assert part is not None
        assert part.interval is not None
        errors, source = errors_of([("batch" if of == KERNELS else "", answer.kind)], of) or ((), "")
        change = interval_of(part.after_ns, errors, source)
        assert part.interval.low_ns == pytest.approx(change.low_ns * estimated.low_ns / estimated.total_ns, abs=1)
        assert part.interval.high_ns == pytest.approx(change.high_ns * estimated.high_ns / estimated.total_ns, abs=1)
        assert part.interval.source == f"the estimate and {source}"


def test_a_product_in_a_sequence_with_an_lstm_is_quantised(tmp_path: Path) -> None:
    """Nothing was traced, so the answer takes the share of its time from the work, and says so."""
    shapes = {"x": (4, 1, 16), "w": (1, 128, 16), "r": (1, 128, 32), "m": (32, 20_000), "y": (4, 1, 1, 20_000)}
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in "xy")
    constants = [numpy_helper.from_array(np.ones(shapes[name], np.float32), name) for name in "wrm"]
    nodes = [
        helper.make_node("LSTM", ["x", "w", "r"], ["h"], hidden_size=32),
        helper.make_node("MatMul", ["h", "m"], ["y"]),
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "g", [x], [y], constants), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    onnx.save(model, tmp_path / "net.onnx")
    settings = SplitSettings(granularity="4")
    dlbricks.generate([tmp_path / "net.onnx"], tmp_path / "suite", settings=settings)
    document = dlbricks.run(tmp_path / "suite", tmp_path / "r.json", dlbricks.RunOptions(name="here", smoke=True))
    assert [each["role"] for each in document["benchmarks"]].count("sequence") == 1
    system = dlbricks.SystemQuery(system="here", store=f"sqlite:///{tmp_path / 's.sqlite'}")
    dlbricks.submit(tmp_path / "r.json", suite=tmp_path / "suite", store=system.store)
    network = dlbricks.split(dlbricks.read(tmp_path / "net.onnx"), granularity=4)
    answer = dlbricks.what_if((), ["int8"], network=network, system=system)
    assert (answer.before.tasks, answer.after.tasks) == (3, 4)  # with the call's overhead
    assert "QLinearMatMul" in answer.after.explanation
    assert answer.gain > 0
    assert any(note.startswith("1 of 1 step without a stored trace: times of their") for note in answer.notes)


def test_a_refused_result_leaves_no_store(measured: tuple[Path, str], tmp_path: Path) -> None:
    """The suite that was run is neither given nor registered; a store that exists stays."""
    folder, store = measured
    with pytest.raises(DlbricksError, match="suite"):
        dlbricks.submit(folder / "result.json", store=f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DlbricksError, match="is a folder"):
        dlbricks.submit(folder, store=store)
    assert not dlbricks.submit(folder / "result.json", store=store).new


def test_a_dimension_that_no_network_has_is_refused(tmp_path: Path) -> None:
    """Before anything is written."""
    with pytest.raises(InputError, match=r"--dim sequ=4: .* has no dimension 'sequ'"):
        dlbricks.generate([NETWORK], tmp_path / "suite", dlbricks.SplitSettings(target="portable", dims={"sequ": 4}))
    assert list(tmp_path.iterdir()) == []


def test_a_network_is_profiled_and_analysed(tmp_path: Path) -> None:
    """Profiles come back by the file of their network and are written; a table of the file has the layers."""
    options = dlbricks.ProfileOptions(run=dlbricks.RunOptions(name="here"), levels=("ML",), calls=3, roofs=False)
    profiled = dlbricks.profile_networks([str(NETWORK)], options, out=tmp_path / "p.json")
    assert (profiled.files, profiled.failed) == ({NETWORK: tmp_path / "p.json"}, {})
    assert profiled.profiles[NETWORK].system["name"] == "here"
    (analysed,) = dlbricks.analyse([tmp_path / "p.json"], ["A2"]).profiles
    assert analysed.network == profiled.profiles[NETWORK].network
    assert "Conv" in analysed.tables[0].column("type").cells
    with pytest.raises(InputError, match="replace"):
        dlbricks.profile_networks([str(NETWORK)], options, out=tmp_path / "p.json")


def test_importing_dlbricks_is_light() -> None:
    """Neither numpy nor onnx is imported before a function needs it; what is not offered is no attribute."""
    code = "import dlbricks, sys; print('numpy' in sys.modules, 'onnx' in sys.modules, dlbricks.estimate.__name__)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["False", "False", "estimate"]
    with pytest.raises(AttributeError, match="nothing_such"):
        dlbricks.nothing_such  # noqa: B018


def test_public_names_are_listed() -> None:
    """``dir`` names what the package exports, and each of these names can be imported."""
    assert {"SplitSettings", "SuiteOptions", "RunOptions", "SystemQuery", "estimate", "what_if"} < {*dir(dlbricks)}
    assert all(getattr(dlbricks, name) for name in dir(dlbricks))


class _Place:
    """A path of any system that is absolute."""

    def __init__(self, place: PurePath) -> None:
        self.stem, self.absolute = place.stem, lambda: place


@pytest.mark.parametrize(
    ("places", "names"),
    [
        ([PureWindowsPath("C:/a/net.onnx"), PureWindowsPath("D:/a/net.onnx")], ["C:/a/net", "D:/a/net"]),
        ([PurePosixPath("/a/b/net.onnx"), PurePosixPath("/a/c/d/net.onnx")], ["b/net", "c/d/net"]),
        ([PurePosixPath("/a/b/net.onnx"), PurePosixPath("/a/net.onnx")], ["b/net", "net"]),
        ([PurePosixPath("/a/net.onnx"), PurePosixPath("/b/other.onnx")], ["net", "other"]),
    ],
)
def test_networks_of_one_name_are_told_apart(
    places: list[PurePath], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the folders in which they differ, on drives of Windows, too."""
    split = dlbricks.split(dlbricks.read(NETWORK))
    paths: list[Any] = [_Place(place) for place in places]
    monkeypatch.setattr("dlbricks.model.read.decoders.network_name", lambda path: path.stem)
    for path, name in zip(paths, names, strict=True):
        here = replace(split, model=replace(split.model, name=path.stem))
        monkeypatch.setattr(networks, "split_files", lambda *_, here=here, path=path: ({path: here}, {}))
        assert networks.split_among(paths, path, SplitSettings()).model.name == name
