"""Systems with several configurations: what covers most of a network is taken, and said."""

import json
from pathlib import Path

import pytest

from dlbricks.suite.manifest import Benchmark, read_suite
from tests.cli.invoking import Run
from tests.store.made_up_run import document

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL, OTHER = str(NETWORKS / "tv_squeezenet1_1.onnx"), str(NETWORKS / "tv_resnet18.onnx")
TARGET = ("--target", "portable")


def _modelled_ns(benchmark: Benchmark, _position: int) -> int:
    """A processor of 50 operations and 10 bytes a nanosecond."""
    return round(2_000 + (benchmark.flops or 0) / 50 + (benchmark.weight_bytes + benchmark.activation_bytes) / 10)


def submit(dlbricks: Run, network: str, threads: int, system: str = "lab") -> None:
    """Store a complete run of a network's suite with a number of threads."""
    suite = f"suite-{Path(network).stem}"
    if not Path(suite).exists():
        dlbricks("generate", network, *TARGET, "-o", suite)
    made = document(of=read_suite(Path(suite)), base_ns=_modelled_ns, seed=len(system))
    made["system"]["name"] = system
    made["runtime"]["threads"] = made["runtime"]["session_options"]["intra_op_num_threads"] = threads
    Path("r.json").write_text(json.dumps(made), encoding="utf-8")
    dlbricks("submit", "r.json", "--suite", suite)


VERBS = (
    ("estimate", SMALL, "--system", "lab"),
    ("coverage", SMALL, "--system", "lab"),
    ("whatif", SMALL, "--system", "lab", "--advise"),
    ("whatif", SMALL, "--system", "lab", "--apply", "scale:0.5"),
    ("compare", "lab", "other", SMALL),
)


def test_the_configuration_that_covers_a_network_is_taken(dlbricks: Run) -> None:
    """Of one that measured another network only, no figure is shown, but every verb says that there is one."""
    submit(dlbricks, OTHER, 1)
    submit(dlbricks, SMALL, 2)
    submit(dlbricks, SMALL, 2, "other")
    for verb in VERBS:
        said = dlbricks(*verb).stderr
        assert "lab: results with onnxruntime 1.31.1, cpu, threads 2; also measured: onnxruntime" in said, verb
    (row,) = json.loads(dlbricks(*VERBS[0], "--json").stdout)["networks"]
    assert (row["configuration"]["threads"], row["missing"]) == (2, [])
    assert "on lab (onnxruntime 1.31.1, cpu, 2 threads)" in dlbricks(*VERBS[1]).stdout
    assert "on lab (onnxruntime 1.31.1, cpu, 2 threads)" in dlbricks("plan", SMALL, "--system", "lab").stdout
    assert "also measured" not in dlbricks(*VERBS[0], "--threads", "2").stderr


def test_configurations_that_cover_as_much_are_estimated_together(dlbricks: Run) -> None:
    """With the probability that the one with the fewest threads is faster; other verbs take this one."""
    for threads in (2, 1):
        submit(dlbricks, SMALL, threads)
    answer = json.loads(dlbricks(*VERBS[0], "--json").stdout)
    assert [row["configuration"]["threads"] for row in answer["networks"]] == [1, 2]
    assert len(answer["faster"]) == 1
    assert json.loads(dlbricks(*VERBS[1], "--json").stdout)["configuration"]["threads"] == 1
    assert "threads 1; also measured: onnxruntime 1.31.1, cpu, threads 2" in dlbricks(*VERBS[1]).stderr


@pytest.mark.parametrize("verb", VERBS[:2])
def test_all_threads_are_named_by_their_number(dlbricks: Run, verb: tuple[str, ...]) -> None:
    """What runs call all is refused with the verb that shows the number."""
    refused = dlbricks(*verb, "--threads", "all", code=2).stderr
    assert "--threads: invalid number 'all': expected a whole number from 1 up ('systems' lists them)" in refused
