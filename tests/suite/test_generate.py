"""Generation: a function of networks and options, references from a real run, and what happens to unusable networks."""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import onnx
import psutil  # type: ignore[import-untyped]
import pytest
from onnx import TensorProto, helper

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.cpu import block_of, instruction_set
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import pairs, split
from dlbricks.sequences.types import Granularity
from dlbricks.settings import SplitSettings, SuiteOptions
from dlbricks.suite.benchmarks import Reference, anchors
from dlbricks.suite.generate import generate, run_references
from dlbricks.suite.manifest import NetworkReport, Suite, read_suite
from tests.harness.waiting import PATIENCE_S
from tests.suite.suite_samples import NETWORKS, refused_in_part

SQUEEZENET = str(NETWORKS / "tv_squeezenet1_1.onnx")
RESNET = str(NETWORKS / "tv_resnet18.onnx")
LSTM = str(NETWORKS / "misc_lstm_lm.onnx")
H1 = SplitSettings(target="portable")


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tiny(path: Path, *nodes: onnx.NodeProto, dtype: int = TensorProto.FLOAT) -> Path:
    """Write a network from x to y of four elements."""
    ends = [helper.make_tensor_value_info(name, dtype, [4]) for name in ("x", "y")]
    graph = helper.make_graph(list(nodes), "g", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@cache
def lstm(target: str) -> tuple[Suite, tuple[NetworkReport, ...]]:
    """A small suite, made once."""
    folder = Path(os.environ["PYTEST_SUITES"]) / target
    return generate([LSTM], out=folder, settings=SplitSettings(target=target))


@pytest.fixture(scope="module", autouse=True)
def _suites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    os.environ["PYTEST_SUITES"] = str(tmp_path_factory.mktemp("suites"))
    yield
    del os.environ["PYTEST_SUITES"]


def test_a_suite_is_a_function_of_its_input(tmp_path: Path) -> None:
    """The order of the networks, their names and places, and the number of processes change no byte."""
    shutil.copy(SQUEEZENET, tmp_path / "renamed.onnx")
    settings = SplitSettings(target="portable", granularity="2")
    generate([SQUEEZENET, RESNET], settings, SuiteOptions(name="same"), out=tmp_path / "one")
    others = [RESNET, str(tmp_path / "renamed.onnx")]
    generate(others, settings, SuiteOptions(name="same", jobs=2), out=tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    read_suite(tmp_path / "one")
    assert b"squeezenet" not in b"".join(files(tmp_path / "one").values())


def test_reports_count_every_layer(tmp_path: Path) -> None:
    """Each network gets a report, in the order of the paths; its sequences are at least its different ones."""
    suite, reports = generate([RESNET, SQUEEZENET], out=tmp_path / "s", settings=H1)
    assert [report.network for report in reports] == ["tv_resnet18", "tv_squeezenet1_1"]
    for report in reports:
        assert report.layers == report.source_layers - report.folded
        assert 0 < report.unique_sequences <= report.sequences <= report.layers
    sequences = sum(benchmark.role == "sequence" for benchmark in suite.benchmarks)
    assert (
        max(report.unique_sequences for report in reports)
        < sequences
        <= sum(report.unique_sequences for report in reports)
    )


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_every_benchmark_has_a_reference(target: str) -> None:
    """Each benchmark was run; its digests have the shapes of its outputs, finite values, and are not all zero."""
    suite, _ = lstm(target)
    assert suite.target.name == target
    assert bool(suite.target.instruction_set) == bool(suite.target.runtime) == (target != "portable")
    for benchmark in suite.benchmarks:
        assert benchmark.reference is not None, benchmark.reference_note
        assert benchmark.reference_note == ""
        for digest, output in zip(benchmark.reference, benchmark.outputs, strict=True):
            assert (digest["shape"], digest["dtype"]) == (list(output.shape), output.dtype)
            assert digest["finite"] == 1.0
            assert digest["norm1"]


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    """``only`` keeps the named fingerprints; anchors are always there."""
    suite, _ = lstm("portable")
    wanted = suite.benchmarks[-1].fingerprint
    some, _ = generate([LSTM], out=tmp_path / "s", settings=H1, only=[wanted])
    assert [one.fingerprint for one in some.benchmarks if one.role == "sequence"] == [wanted]
    assert [one.role for one in some.benchmarks].count("anchor") == 3
    with pytest.raises(UnsupportedModelError, match="none of the requested fingerprints"):
        generate([LSTM], out=tmp_path / "t", settings=H1, only=["0" * 64])


def test_what_did_not_run_is_named_with_the_reason(tmp_path: Path) -> None:
    """By its fingerprint in the report; and in the error, where nothing else was asked for."""
    path = tmp_path / "given.onnx"
    path.write_bytes(refused_in_part().SerializeToString())
    suite, (report,) = generate([str(path)], out=tmp_path / "s", settings=H1)
    ((fingerprint, reason),) = report.left_out
    assert "fmod attribute must be true" in reason
    assert (reason, 1) in report.skipped
    assert fingerprint not in {one.fingerprint for one in suite.benchmarks}
    with pytest.raises(UnsupportedModelError, match=r"no requested sequence of .*given\.onnx .*fmod attribute"):
        generate([str(path)], out=tmp_path / "t", settings=H1, only=[fingerprint])
    assert not (tmp_path / "t").exists()


def test_decoys_are_split_like_the_network_that_they_hide(tmp_path: Path) -> None:
    """A suite with decoys has the benchmarks of all its networks as further inputs have them, and tells no extents."""
    both, _ = generate([SQUEEZENET, LSTM], out=tmp_path / "both", settings=SplitSettings(target="portable", batch=2))
    hidden, reports = generate(
        [SQUEEZENET],
        out=tmp_path / "hidden",
        settings=SplitSettings(target="portable", batch=2),
        options=SuiteOptions(decoys=(LSTM,)),
    )
    twice, _ = generate(
        [SQUEEZENET],
        out=tmp_path / "twice",
        settings=SplitSettings(target="portable", batch=2),
        options=SuiteOptions(decoys=(LSTM, SQUEEZENET)),
    )
    assert hidden.benchmarks == both.benchmarks
    assert (both.batch, hidden.batch, hidden.dims) == (2, 0, {})
    assert [report.network for report in reports] == ["tv_squeezenet1_1", "misc_lstm_lm"]
    assert twice == hidden


def test_decoys_do_not_make_a_suite_without_the_network(tmp_path: Path) -> None:
    """A network that cannot be used is refused whatever decoys there are; a decoy that cannot is left out."""
    strings = str(tiny(tmp_path / "strings.onnx", helper.make_node("Identity", ["x"], ["y"]), dtype=TensorProto.STRING))
    with pytest.raises(UnsupportedModelError):
        generate([strings], SplitSettings(target="portable"), SuiteOptions(decoys=(LSTM,)), out=tmp_path / "s")
    suite, reports = generate([LSTM], out=tmp_path / "s", settings=H1, options=SuiteOptions(decoys=(strings,)))
    assert suite.benchmarks == lstm("portable")[0].benchmarks
    assert [bool(report.skipped) for report in reports] == [False, True]


def test_unsupported_networks_are_left_out_of_several_and_refused_alone(tmp_path: Path) -> None:
    """A sound network that nothing can be measured of: a report among several, an error alone; never half a suite."""
    strings = tiny(tmp_path / "strings.onnx", helper.make_node("Identity", ["x"], ["y"]), dtype=TensorProto.STRING)
    with pytest.raises(UnsupportedModelError):
        generate([str(strings)], out=tmp_path / "s", settings=H1)
    assert not (tmp_path / "s").exists()
    _, reports = generate([str(strings), LSTM], out=tmp_path / "s", settings=H1)
    assert {report.network: bool(report.unique_sequences) for report in reports} == {
        "strings": False,
        "misc_lstm_lm": True,
    }
    assert any(report.skipped or report.unsupported for report in reports)


def test_a_network_that_computes_nothing_says_so(tmp_path: Path) -> None:
    """Its output is a constant, however it is written."""
    values = helper.make_tensor("v", TensorProto.FLOAT, [4], [1.0, 2.0, 3.0, 4.0])
    nodes = helper.make_node("Constant", [], ["c"], value=values), helper.make_node("Neg", ["c"], ["y"])
    with pytest.raises(UnsupportedModelError, match=r"can be measured: its outputs are constants or inputs$"):
        generate([str(tiny(tmp_path / "n.onnx", *nodes))], out=tmp_path / "s", settings=H1)


def test_an_unreadable_network_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    """A damaged file costs itself, in other processes too; alone, nothing is written."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(Path(SQUEEZENET).read_bytes()[:5000])
    with pytest.raises(InputError, match=r"broken\.onnx") as caught:
        generate([str(broken)], out=tmp_path / "s", settings=H1)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.onnx"]
    made = [
        generate([LSTM, str(broken)], out=tmp_path / f"s{jobs}", settings=H1, options=SuiteOptions(jobs=jobs))
        for jobs in (1, 2)
    ]
    alone, _ = generate([LSTM], out=tmp_path / "alone", settings=H1)
    for suite, reports in made:
        assert suite.digest == alone.digest
        assert [("broken.onnx" in one.unsupported) for one in reports] == [one.network == "broken" for one in reports]


def test_a_folder_that_is_no_suite_is_refused_before_any_work(tmp_path: Path) -> None:
    """What would destroy the user's files is refused at once, as are names that no file should have."""
    (tmp_path / "mine").write_text("letters")
    with pytest.raises(InputError, match="is not a dlbricks suite"):
        generate(["nowhere.onnx"], out=tmp_path, settings=H1)
    with pytest.raises(InputError, match="invalid suite name"):
        generate(["nowhere.onnx"], SplitSettings(target="portable"), SuiteOptions(name="a/b"), out=tmp_path / "s")


def test_views_alone_need_no_benchmark(tmp_path: Path) -> None:
    """A network of views costs nothing, so nothing of it is measured; the line says so."""
    path = tiny(tmp_path / "view.onnx", helper.make_node("Identity", ["x"], ["y"]))
    with pytest.raises(UnsupportedModelError, match="renames memory"):
        generate([str(path)], out=tmp_path / "s", settings=H1)


def test_random_answers_have_no_reference(tmp_path: Path) -> None:
    """What draws other numbers in each call is measured, but never compared, also where a body of If draws them."""
    x, y, b = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xyb")
    drawn, kept = (
        helper.make_graph([helper.make_node(kind, ["x"], ["b"])], kind, [], [b])
        for kind in ("RandomUniformLike", "Relu")
    )
    nodes = [
        helper.make_node("RandomNormal", [], ["r"], shape=[2, 3]),
        helper.make_node("Add", ["x", "r"], ["a"]),
        helper.make_node("ReduceMax", ["a"], ["m"], keepdims=0),
        helper.make_node("Cast", ["m"], ["c"], to=TensorProto.BOOL),
        helper.make_node("If", ["c"], ["i"], then_branch=drawn, else_branch=kept),
        helper.make_node("Mul", ["i", "a"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "random", [x], [y])
    path = tmp_path / "random.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    suite, _ = generate([str(path)], out=tmp_path / "s", settings=H1)
    notes = {one.operators: one.reference_note for one in suite.benchmarks if one.reference is None}
    assert notes == {
        ("RandomNormal",): "its outputs are random: RandomNormal draws new numbers in each call",
        ("If",): "its outputs are random: RandomUniformLike draws new numbers in each call",
    }
    assert [one.operators for one in suite.benchmarks if one.reference] != []


def test_known_references_are_kept_where_the_machine_agrees() -> None:
    """A rebuild gives the same bytes elsewhere: last digits follow the known reference of the same network."""
    built = anchors()[0]
    key = built.benchmark.fingerprint
    with Workers(1) as workers:
        made = run_references(workers, [built], 0, {}, lambda *_: None)[key]
        assert made.digests is not None
        digest = made.digests[0]
        assert isinstance(digest["norm1"], float)
        for factor, network, kept in ((1.0001, "", True), (1.5, "", False), (1.0001, "f" * 64, False)):
            other = digest.copy()
            other["norm1"] = digest["norm1"] * factor
            near = (other,)
            known = replace(built.benchmark, reference=near, digest=network or built.benchmark.digest)
            found = run_references(workers, [built], 0, {key: known}, lambda *_: None)[key]
            assert found == (Reference(digests=near) if kept else made)


def test_what_does_not_run_here_has_no_reference_and_says_why() -> None:
    """A network that the runtime refuses costs its own reference only."""
    sound = anchors()[3]
    broken = replace(
        sound,
        network=b"no network",
        benchmark=replace(
            sound.benchmark, fingerprint="f" * 64, network=f"networks/{'f' * 64}.onnx", operators=("Custom",)
        ),
    )
    with Workers(1) as workers:
        found = run_references(workers, [sound, broken], 0, {}, lambda *_: None)
    assert found[sound.benchmark.fingerprint].digests
    assert found["f" * 64].digests is None
    assert "did not run" in found["f" * 64].note


def halve(number: int) -> int:
    """Die for 13, raise for odd numbers, else halve."""
    if number == 13:
        os._exit(1)
    if number % 2:
        message = f"{number} is odd"
        raise InputError(message)
    return number // 2


def test_a_crash_costs_what_crashed() -> None:
    """A process that dies gives a mark for its item; all other items have their results."""
    counts: list[int] = []
    with Workers(2) as workers:
        made = workers.each(halve, [2, 13, 4, 6, 13, 8], counts.append)
        assert made == [1, Crashed(13), 2, 3, Crashed(13), 4]
        assert counts[-1] == 6
        assert workers.each(halve, [10], counts.append) == [5]


def test_workers_end_with_their_parent() -> None:
    """A parent that is killed leaves no process behind."""
    code = (
        "import time\n"
        "from dlbricks.process_pool import Workers\n"
        "if __name__ == '__main__':\n"
        "    with Workers(2) as workers:\n"
        "        workers.each(time.sleep, [0, 0, 600, 600], lambda done: print(done, flush=True))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline(), parent.stdout.readline()] == ["1\n", "2\n"]
        children = psutil.Process(parent.pid).children(recursive=True)
        assert len(children) >= 2
        parent.kill()
    _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert alive == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_workers_come_through(jobs: int) -> None:
    """What a worker raises is raised here, as it is."""
    with Workers(jobs) as workers, pytest.raises(InputError, match="3 is odd"):
        workers.each(halve, [2, 3], lambda _: None)


def test_what_the_runtime_refuses_is_no_benchmark(tmp_path: Path) -> None:
    """A layer that does not run when the suite is made is left out, and counted with its reason; the others stay."""
    floating_modulo = helper.make_node("Mod", ["t", "t"], ["y"])
    network = tiny(tmp_path / "mod.onnx", helper.make_node("Relu", ["x"], ["t"]), floating_modulo)
    suite, (report,) = generate([str(network)], out=tmp_path / "suite", settings=H1)
    measured = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    assert [benchmark.operators for benchmark in measured] == [("Relu",)]
    assert report.unique_sequences == 1
    ((reason, layers),) = report.skipped
    assert reason.startswith("it did not run when the suite was made")
    assert layers == 1
    read_suite(tmp_path / "suite")


def test_nothing_that_runs_is_no_suite(tmp_path: Path) -> None:
    """A network of which no layer runs gives an error that says why, and no folder."""
    network = tiny(tmp_path / "mod.onnx", helper.make_node("Mod", ["x", "x"], ["y"]))
    with pytest.raises(UnsupportedModelError, match=r"no layer of .* can be measured: it did not run"):
        generate([str(network)], out=tmp_path / "suite", settings=H1)
    assert not (tmp_path / "suite").exists()


def test_an_answer_that_depends_on_rounding_is_no_reference(tmp_path: Path) -> None:
    """A deep network that blows up the last digits is measured, but its answer is held against nobody."""
    nodes, last = [], "x"
    weights = [
        TensorProto(name=f"w{block}", data_type=TensorProto.FLOAT, dims=[256, 256], raw_data=bytes(4 * 256 * 256))
        for block in range(8)
    ]
    for block in range(8):
        names = [f"t{block}.{step}" for step in range(6)]
        nodes.append(helper.make_node("MatMul", [last, f"w{block}"], [names[0]]))
        nodes += [helper.make_node("Add", [one, one], [two]) for one, two in itertools.pairwise(names[:5])]
        nodes.append(helper.make_node("Sin", [names[4]], [names[5]]))
        last = names[5]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 256]) for name in ("x", last)]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], weights)
    path = tmp_path / "chaos.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    suite, _ = generate(
        [str(path)], out=tmp_path / "suite", settings=SplitSettings(target="portable", granularity="inf")
    )
    (benchmark,) = (one for one in suite.benchmarks if one.role == "sequence")
    assert benchmark.reference is None
    assert "depend on rounding" in benchmark.reference_note


PATH = NETWORKS / "tv_squeezenet1_1.onnx"


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_unions_are_added_and_nothing_else_changes(target: str, tmp_path: Path) -> None:
    """Every union becomes one benchmark that ran, the others keep their bytes; each union counts once."""
    plain, (before,) = generate([str(PATH)], out=tmp_path / "plain", settings=SplitSettings(target=target))
    paired, (report,) = generate(
        [str(PATH)], out=tmp_path / "paired", settings=SplitSettings(target=target), options=SuiteOptions(pairs=True)
    )
    model = read_model(PATH) if target == "portable" else lower(read_model(PATH))
    unions = {canonicalise(model, union).fingerprint for _, _, union in pairs(split(model, Granularity(1)))}
    known = {one.fingerprint: one for one in plain.benchmarks}
    found = {one.fingerprint: one for one in paired.benchmarks}
    own = {one.fingerprint for one in paired.benchmarks if one.block in (0, block_of(instruction_set()))}
    assert own == (own & known.keys()) | unions
    assert all(found[name] == one for name, one in known.items())
    assert all(found[name].reference and found[name].layers == 2 for name in unions)
    assert (report.unique_sequences, report.pairs, before.pairs) == (
        before.unique_sequences,
        len(unions - known.keys()),
        0,
    )


def test_a_union_can_be_asked_for(tmp_path: Path) -> None:
    """``only`` finds unions as it finds sequences, and their importance does not depend on what else is wanted."""
    suite, _ = generate([str(PATH)], SplitSettings(target="portable"), SuiteOptions(pairs=True), out=tmp_path / "all")
    wanted = next(one for one in suite.benchmarks if one.role == "sequence" and one.layers == 2)
    some, (report,) = generate(
        [str(PATH)],
        SplitSettings(target="portable"),
        SuiteOptions(pairs=True),
        out=tmp_path / "some",
        only=[wanted.fingerprint],
    )
    assert [one for one in some.benchmarks if one.role == "sequence"] == [wanted]
    assert (report.unique_sequences, report.pairs) == (0, 1)
