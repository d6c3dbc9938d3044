"""Suites for processors that keep another number of channels together: each measures, checks and composes its own."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import dlbricks
from dlbricks.api.estimates import coverage
from dlbricks.harness import cpu, machine, single
from dlbricks.harness.cpu import BLOCKS, benchmarks_for, block_of, instruction_set, lowers_alike, suits
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run import runner
from dlbricks.harness.run.cli import _text, summary_of
from dlbricks.model.lowering.blocked import DOMAIN, Blocking
from dlbricks.report.results import generated_report, run_report
from dlbricks.sequences.split import network
from dlbricks.settings import SplitSettings, SuiteOptions, SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.document import as_current
from dlbricks.store.submission import check, submit
from dlbricks.suite.generate import generate
from dlbricks.suite.manifest import Suite, from_document, read_suite, to_document
from tests.suite.suite_samples import SMOKE

HERE = block_of(instruction_set()) or 8
THERE = 24 - HERE
OTHER = [*BLOCKS[THERE]]
pytestmark = pytest.mark.skipif(block_of(instruction_set()) is None, reason="the block of this processor is unknown")


def images(folder: Path) -> Path:
    """Write a network of convolutions: 24 channels need padding in blocks of 16, 32 in none."""
    rng = np.random.default_rng(0)
    shapes = {"a": (24, 3, 3, 3), "b": (32, 24, 1, 1), "c": (32, 32, 1, 1)}
    weights = [
        numpy_helper.from_array(rng.normal(size=shape).astype(np.float32), name) for name, shape in shapes.items()
    ]
    nodes = [
        helper.make_node("Conv", ["x", "a"], ["p"], kernel_shape=[3, 3]),
        helper.make_node("Conv", ["p", "b"], ["q"], kernel_shape=[1, 1]),
        helper.make_node("Conv", ["q", "c"], ["r"], kernel_shape=[1, 1]),
        helper.make_node("GlobalAveragePool", ["r"], ["s"]),
        helper.make_node("Flatten", ["s"], ["y"]),
    ]
    values = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        for name, shape in (("x", (1, 3, 20, 20)), ("y", (1, 32)))
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], weights)
    path = folder / "images.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the network and its suite."""
    folder = tmp_path_factory.mktemp("blocks")
    generate([str(images(folder))], SplitSettings(), SuiteOptions(name="images"), out=folder / "suite")
    return folder


def on_another_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the harness take this processor for one with blocks of another size."""
    for module in (cpu, machine, runner):
        monkeypatch.setattr(module, "instruction_set", lambda: [*OTHER])


def measured(suite: Path, out: Path) -> dict[str, Any]:
    """Smoke test a suite."""
    return dlbricks.run(suite, out, RunOptions(smoke=True, name=out.stem))


def fingerprints(suite: Suite, block: int) -> set[str]:
    """Benchmarks that processors with this block measure."""
    return {row["fingerprint"] for row in benchmarks_for(to_document(suite), BLOCKS[block])}


def test_a_suite_has_what_each_processor_needs(place: Path) -> None:
    """Each benchmark says who needs it; what this processor cannot run has no reference, all else has."""
    suite = read_suite(place / "suite")
    assert suite.target.blocks == (8, 16)
    assert block_of(suite.target.instruction_set) == HERE
    of = {}
    for block, code in BLOCKS.items():
        generate([str(place / "images.onnx")], SplitSettings(lowered_for=code), out=place / str(block))
        of[block] = set(read_suite(place / str(block)).sequences)
    fixed = {each.fingerprint for each in suite.benchmarks if each.role != "sequence"}
    assert of[8] - of[16]
    assert of[8] & of[16]
    for block, sequences in of.items():
        assert fingerprints(suite, block) == sequences | fixed
    for each in suite.benchmarks:
        assert (
            each.block
            == {True: 0, False: 8 if each.fingerprint in of[8] else 16}[
                each.role != "sequence" or each.fingerprint in of[8] & of[16]
            ]
        )
        blocked = DOMAIN.encode() in (place / "suite" / each.network).read_bytes()
        assert (each.reference is None) == (blocked and each.block == THERE)
    text = "\n".join(map(str, generated_report(suite, (), place / "suite", "")))
    assert f"{len(of[8] ^ of[16])} benchmarks only for processors with blocks of one size" in text
    assert dataclasses.replace(from_document(to_document(suite)), digest="") == dataclasses.replace(suite, digest="")


def test_this_processor_measures_its_own(place: Path, tmp_path: Path) -> None:
    """The result is complete, breaks no rule and says how many were left out; nothing but them is."""
    document = measured(place / "suite", tmp_path / "here.json")
    suite = read_suite(place / "suite")
    assert {entry["fingerprint"] for entry in document["benchmarks"]} == fingerprints(suite, HERE)
    assert document["complete"]
    left_out = len(suite.benchmarks) - len(document["benchmarks"])
    assert left_out
    assert f"{left_out} left out, for processors with blocks of another size" in _text(summary_of(document, tmp_path))
    assert f"{left_out} left out, for processors with blocks of another size" in str(run_report(document)[0])
    assert not [each for each in check(as_current(document), suite=suite) if each.severity == "error"]
    assert not [each for each in check(as_current(document), suite=suite) if each.rule == "DB208"]


def test_another_processor_measures_and_composes_its_own(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its outputs are in another order, so they are not compared; its network is covered, and so is this one's.

    A processor with blocks of 16 cannot compute 24 channels in blocks of 8: these fail there, nothing is submitted.
    """
    store = f"sqlite:///{tmp_path / 'store.db'}"
    suite = read_suite(place / "suite")
    measured(place / "suite", tmp_path / "here.json")
    with monkeypatch.context() as patched:
        on_another_processor(patched)
        document = measured(place / "suite", tmp_path / "there.json")
    assert {entry["fingerprint"] for entry in document["benchmarks"]} == fingerprints(suite, THERE)
    runs = THERE > HERE
    assert all(entry["status"] == "ok" for entry in document["benchmarks"]) == runs
    names = ("here", "there") if runs else ("here",)
    with ResultStore.open(store, create=True) as opened:
        for name in names:
            submit(opened, (tmp_path / f"{name}.json").read_bytes(), suite=suite)
    for name in names:
        query = SystemQuery(system=name, store=store)
        (covered,) = coverage([str(place / "images.onnx")], SplitSettings(), query).networks
        assert covered.coverage == 1
    assert fingerprints(suite, HERE) != fingerprints(suite, THERE)


def test_a_result_of_the_wrong_variants_is_refused(place: Path, tmp_path: Path) -> None:
    """Facts that claim blocks of another size than were measured: something is missing, something does not belong."""
    document = measured(place / "suite", tmp_path / "here.json")
    for facts in ("facts_before", "facts_after"):
        document["system"][facts]["cpu"]["instruction_set"] = [*OTHER]
    rules = {each.rule for each in check(as_current(document)) if each.severity == "error"}
    assert {"DB204", "DB206"} <= rules


def test_a_target_says_which_processors_it_suits() -> None:
    """With blocks any processor with one of them, otherwise those that the instruction set stands for."""
    avx2, avx512 = BLOCKS[8], BLOCKS[16]
    assert suits({"instruction_set": avx2, "blocks": [8, 16]}, avx512)
    assert not suits({"instruction_set": avx2}, avx512)
    assert suits({"instruction_set": avx2}, ("x86_64", "avx", "avx2"))
    assert not suits({"instruction_set": avx2, "blocks": [16]}, avx2)
    assert not suits({"instruction_set": avx2, "blocks": [8, 16]}, ("aarch64", "asimd"))
    assert suits({"instruction_set": ("aarch64",)}, ["aarch64"])
    assert not lowers_alike(avx2, avx512)


def test_a_single_benchmark_of_another_processor_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its script states the block that it needs."""
    suite = read_suite(place / "suite")
    document: Any = to_document(suite)
    rows = [row for row in document["benchmarks"] if row.get("block") == THERE]
    target = {**document["target"], "blocks": (THERE,)}
    benchmark = {**rows[0], "target": target, "seed": 0, "weights": []}
    assert single.measure(benchmark, {}, place / "suite", ["--time", "1ms"]) == HarnessError("").exit_code
    assert "was lowered for another processor" in capsys.readouterr().err
    scripts = [path.read_text() for path in (place / "suite" / "benchmarks").iterdir()]
    assert sum(f'"blocks": [{THERE}]' in text for text in scripts) == len(rows)


def test_what_cannot_be_derived_is_for_this_processor_only(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network is measured here, and the user is told that others will not measure it."""
    monkeypatch.setattr(Blocking, "RULES", {key: rule for key, rule in Blocking.RULES.items() if key[1] != "Conv"})
    suite, reports = generate([str(place / "images.onnx")], SplitSettings(), out=tmp_path / "suite")
    assert [bool(report.unsupported) for report in reports] == [False, True]
    assert "its graph on processors with other blocks is unknown" in reports[1].unsupported
    assert {each.block for each in suite.benchmarks if each.role == "sequence"} == {HERE}


@pytest.mark.parametrize("settings", [SplitSettings(target="portable"), SplitSettings(lowered_for=BLOCKS[HERE])])
def test_other_suites_are_for_one_kind_of_processor_or_for_all(
    settings: SplitSettings, place: Path, tmp_path: Path
) -> None:
    """A portable suite does not mention blocks, one of what a system lacks is for that system's processor."""
    generate([str(place / "images.onnx")], settings, out=tmp_path / "suite")
    text = (tmp_path / "suite" / "suite.json").read_text()
    assert json.loads(text)["target"].get("blocks", []) == ([HERE] if settings.lowered_for else [])
    assert ('"block":' in text) == bool(settings.lowered_for)
    assert network(place / "images.onnx", settings).sequences


def test_older_suites_are_for_who_they_were_for() -> None:
    """Without the new fields every benchmark is run, with its reference."""
    document = json.loads((SMOKE / "suite.json").read_text())
    for code in (*BLOCKS.values(), (), ("aarch64", "asimd")):
        assert [*benchmarks_for(document, code)] == document["benchmarks"]
