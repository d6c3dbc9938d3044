"""Values of inputs that decide sizes and turns: what is assumed is said by every verb, and --value gives them."""

import json
from pathlib import Path

from tests.cli.invoking import Run

FILES = Path(__file__).parents[1] / "data" / "decided_by_values"
RESIZE, TOPK, LOOP = (
    str(FILES / f"{name}.onnx") for name in ("o35_resize_input", "o33_topk_input", "o31_loop_input_trips")
)
NETWORKS = (RESIZE, TOPK, LOOP)
VALUES = ("--value", "s=1,3,1024,1024", "--value", "k=1000", "--value", "M=2000")
LINES = {
    "o31_loop_input_trips": "input M decides iterations of Loop; its value is assumed: set it by --value M=N",
    "o33_topk_input": "input k decides size of v, i, y; its value is assumed: set it by --value k=N",
    "o35_resize_input": "input s decides size of r, y; its value is assumed: set it by --value s=N,N,N,N",
}


def test_made_up_sizes_are_said_and_the_true_ones_take_longer(dlbricks: Run) -> None:
    """Measured: the estimate with values is more than ten times the assumed one, and has an interval again."""
    found = dlbricks("inspect", *NETWORKS, "--json")
    assert {one["network"]: one["assumed"] for one in json.loads(found.stdout)["networks"]} == {
        name: [line] for name, line in LINES.items()
    }
    written = dlbricks("generate", *NETWORKS, "-o", "suite")
    assert all(f"{name}: {line}" in written.stderr for name, line in LINES.items())
    ran = dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    assert "5 benchmarks with sizes, iterations or branches that depend on synthetic values of inputs" in ran.stderr
    dlbricks("submit", "r.json", "--suite", "suite")
    answer = dlbricks("estimate", *NETWORKS, "--system", "here", "--json")
    assert all(f"{name}: {line}" in answer.stderr for name, line in LINES.items())
    assumed = {one["network"]: one for one in json.loads(answer.stdout)["networks"]}
    for name, one in assumed.items():
        assert one["assumed"] == [LINES[name]]
        assert (one["low_ns"], one["high_ns"]) == (None, None)
        assert one["total_ns"] > 0
        assert one["covered_layers"] + one["assumed_layers"] == one["layers"]
    assert assumed["o35_resize_input"]["covered_layers"] == 0
    text = dlbricks("estimate", RESIZE, "--system", "here").stdout
    assert "none: assumed sizes" in text
    assert "no interval: part of the total is for assumed sizes, iterations or branches" in text
    [covered] = json.loads(dlbricks("coverage", RESIZE, "--system", "here", "--json").stdout)["networks"]
    assert covered["covered_layers"] == 0
    dlbricks("generate", *NETWORKS, *VALUES, "-o", "real")
    manifest = json.loads(Path("real/suite.json").read_text(encoding="utf-8"))
    assert manifest["values"] == {"k": "1000"}
    assert not any("assumed" in benchmark for benchmark in manifest["benchmarks"])
    assert "made up" not in dlbricks("run", "real", "-o", "real.json", "--name", "there", "--smoke").stderr
    dlbricks("submit", "real.json", "--suite", "real")
    true = json.loads(dlbricks("estimate", *NETWORKS, *VALUES, "--system", "there", "--json").stdout)["networks"]
    for one in true:
        assert (one["assumed"], one["assumed_layers"]) == ([], 0)
        assert one["total_ns"] > 10 * assumed[one["network"]]["total_ns"]
    # the value of a common name is that of the measured suite
    [again] = json.loads(dlbricks("estimate", TOPK, "--system", "there", "--json").stdout)["networks"]
    assert again["assumed"] == []


def test_a_value_of_an_input_that_no_network_has_is_refused(dlbricks: Run) -> None:
    """One that some lack is told; each is one line."""
    [error] = dlbricks("inspect", RESIZE, "--value", "size=4", code=2).stderr.splitlines()
    assert error.endswith("--value size=4: unknown input 'size': expected one of x, s")
    told = dlbricks("inspect", RESIZE, TOPK, "--value", "k=3").stderr
    assert "--value k=3 is used by 1 of 2 networks, not by o35_resize_input.onnx" in told
    [error] = dlbricks("inspect", TOPK, "--value", "k=3,4", code=2).stderr.splitlines()
    assert error.endswith("--value k=3,4: shape [2] does not fit the input's [1]")


def test_other_verbs_take_values(dlbricks: Run) -> None:
    """A lowered file and a profile are for them."""
    dlbricks("lower", RESIZE, "--value", "s=1,3,20,20", "-o", "lowered")
    [read] = json.loads(dlbricks("inspect", "lowered", "--target", "onnxruntime-cpu", "--json").stdout)["networks"]
    assert (read["outputs"], read["assumed"]) == (["y: float32[1,3,20,20]"], [])
    dlbricks("profile", RESIZE, "--value", "s=1,3,20,20", "--calls", "2", "--levels", "M", "--no-roofs", "-o", "p.json")


def test_what_would_change_a_time_of_assumed_sizes_has_no_interval(dlbricks: Run) -> None:
    """Not even a gain that is known has one, and neither has another number of threads."""
    dlbricks("generate", RESIZE, "-o", "suite")
    for threads in "12":
        dlbricks("run", "suite", "-o", f"{threads}.json", "--name", "here", "--smoke", "--threads", threads)
        dlbricks("submit", f"{threads}.json", "--suite", "suite")
    asked = ("whatif", RESIZE, "--system", "here", "--threads")
    assert "no interval: the estimate has none" in dlbricks(*asked, "1", "--apply", "threads:2").stdout
    rankings = [json.loads(dlbricks(*asked, threads, "--advise", "--json").stdout) for threads in "12"]
    others = [each for ranking in rankings for each in ranking["advice"] if not each["apply"]]
    assert {(each["gain_low"], each["gain_high"]) for each in others} <= {(None, None)}
