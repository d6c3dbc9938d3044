"""The bundle that ships with the package is what ``make bundle`` makes of the archived runs."""

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from archives import RESULTS, ROOT
from kept_runs import read_runs
from onnx import numpy_helper

from dlbricks.api.estimates import estimates
from dlbricks.sequences.split import network
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.bundle import SHIPPED, Bundle
from dlbricks.store.summary import measurements


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return Bundle.open(SHIPPED, lambda _: "")


def test_it_is_small_and_has_every_configuration_of_the_archives(bundle: Bundle) -> None:
    """Three processors; one and two threads; two runtimes: what was measured, no more."""
    assert SHIPPED.stat().st_size <= 2_000_000
    known = Counter(
        (each.configuration.system, each.configuration.runtime.split()[0], each.configuration.threads)
        for each in bundle.systems()
    )
    assert known == {
        ("amd-epyc-zen4", "onnxruntime", 1): 2,  # of two versions
        ("amd-epyc-zen4", "onnxruntime", 2): 1,
        ("amd-epyc-zen4", "openvino", 1): 1,
        ("amd-epyc-zen4", "openvino", 2): 1,
        ("amd-epyc-zen5", "onnxruntime", 1): 1,
        ("amd-epyc-zen5", "openvino", 1): 1,
        ("intel-xeon-amx", "onnxruntime", 1): 1,
        ("intel-xeon-emerald", "onnxruntime", 1): 1,
        ("intel-xeon-emerald", "onnxruntime", 2): 1,
        ("intel-xeon-emerald", "openvino", 1): 1,
    }
    assert all(each.processor and each.settings for each in bundle.systems())


def test_a_page_lists_what_ships(bundle: Bundle) -> None:
    """The table of systems has a row for each, with the number of its sequences."""
    page = (ROOT / "docs" / "owner.md").read_text(encoding="utf-8")
    for each in bundle.systems():
        own = each.configuration
        query = SystemQuery(system=own.system, runtime=own.runtime, threads=own.threads)
        count = len(bundle.results_each(query, [None])[0].measurements)
        head = f"| {own.system} | {own.runtime} | {own.threads} | "
        assert any(line.startswith(head) and f" | {count} | " in line for line in page.splitlines())


def test_each_measurement_names_its_archived_run(bundle: Bundle) -> None:
    """Its place is the archive, and its latencies are those of the run."""
    query = SystemQuery(system="amd-epyc-zen4", runtime="openvino", threads=2)
    (results,) = bundle.results_each(query, [None])
    run = read_runs(RESULTS / "amd-epyc-2c" / "openvino-2t.parquet", ["tv_resnet18"])["tv_resnet18"]
    archived = measurements(dict(run.document))
    own = [row for row in results.measurements.values() if row.origin and row.origin.submission.endswith("tv_resnet18")]
    assert len(own) > 10
    for row in own:
        assert row.origin
        assert row.origin.submission == "amd-epyc-2c/openvino-2t/tv_resnet18"
        assert row.origin.started_unix_ns == run.document["started_unix_ns"]
        measured = archived.measurements[row.fingerprint]
        assert (row.latency_ns, row.low_ns, row.high_ns) == (measured.latency_ns, measured.low_ns, measured.high_ns)
    places = {
        row.origin.submission.split("/")[:2] == ["amd-epyc-2c", "openvino-2t"]
        for row in results.measurements.values()
        if row.origin
    }
    assert places == {True}


def test_a_trained_network_is_looked_up(tmp_path: Path) -> None:
    """Its convolutions have biases, those of the archived networks have none; that makes no difference."""
    source = onnx.load(ROOT / "suites" / "networks" / "tv_resnet18.onnx", load_external_data=False)
    shapes = {each.name: each.dims for each in source.graph.initializer}
    for number, node in enumerate(source.graph.node):
        if node.op_type == "Conv":
            bias = np.random.default_rng(number).normal(size=shapes[node.input[1]][0]).astype(np.float32)
            node.input.append(f"bias{number}")
            source.graph.initializer.append(numpy_helper.from_array(bias, node.input[2]))
    onnx.save(source, tmp_path / "trained.onnx")
    for target in ("onnxruntime-cpu", "openvino"):
        (shipped,) = (
            each.configuration
            for each in Bundle.open(SHIPPED, lambda _: "").systems()
            if (each.configuration.system, each.configuration.threads) == ("amd-epyc-zen5", 1)
            and each.configuration.runtime.startswith(target.split("-", maxsplit=1)[0])
        )
        code = shipped.instruction_set
        split = network(tmp_path / "trained.onnx", SplitSettings(target=target, lowered_for=code))
        query = SystemQuery(system=shipped.system, store=f"bundle:{SHIPPED}", runtime=shipped.runtime, threads=1)
        _, (latency,) = estimates([split], query, allow_mismatch=True)
        assert latency.covered_layers == latency.layers
