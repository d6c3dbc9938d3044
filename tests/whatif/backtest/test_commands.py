"""``benchmarks/whatif.py``: cases of kept networks and of a folder of pairs are shown, and come out as kept."""

import json
import lzma
import os
from pathlib import Path

import pytest
import whatif
from backtest.cases import read_tests
from backtest.processor import MEASURED

from tests.whatif.kineto_files import rank_file


def test_cases_of_kept_networks_are_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """From measurements that are kept in the repository; nothing is measured."""
    names = {"tv_resnet18", "tv_squeezenet1_1"}
    lines = lzma.decompress(MEASURED.read_bytes()).splitlines(keepends=True)
    path = tmp_path / "some.jsonl.xz"
    path.write_bytes(lzma.compress(b"".join(line for line in lines if json.loads(line)["network"] in names)))
    tests = whatif.backtests_of(path).tests
    assert {test.case for test in tests} == names
    whatif.main(["show", str(path)])
    shown = capsys.readouterr().out
    assert "median error" in shown
    assert all(test.transform in shown for test in tests)


def test_a_refused_pair_does_not_fail_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The pair and the reason are shown after the predictions."""
    rank_file(tmp_path / "one.json", 0, arrives_us=500)
    pair = {"before": ["one.json"], "after": ["one.json"], "apply": "layout", "address": "", "licence": "", "truth": ""}
    (tmp_path / "pairs.json").write_text(json.dumps([pair, {**pair, "apply": "scale:0.5"}]))
    whatif.main(["show", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "scale:0.5" in shown
    assert "no prediction of layout, one to one" in shown


TRACES = Path(os.environ.get("DLBRICKS_TRACES", "/nonexistent"))


@pytest.mark.traces
@pytest.mark.skipif(not TRACES.is_dir(), reason="DLBRICKS_TRACES names no folder of traces")
def test_back_tests_of_public_traces_are_as_kept() -> None:
    """What the table of the manual says comes out again; what is fitted to other pairs, where all of them are there."""
    tests, kept = list(whatif.backtests_of(TRACES).tests), read_tests(whatif.TRACES)
    if len(tests) < len(kept):
        tests = [test for test in tests if test.name != "data-loader"]
        cases = {test.case for test in tests}
        kept = [test for test in kept if test.case in cases and test.name != "data-loader"]
    assert tests == kept
