"""Rules that tell made-up results from measured ones are silent about every honest run that is kept."""

from pathlib import Path

import pytest

from dlbricks.store.rules import RULES
from dlbricks.store.rules.rule import arrange
from dlbricks.validate.archive import read_runs

_KEPT = Path(__file__).parents[2] / "suites" / "results"
_WHOLE = ("DB105", "DB415", "DB416", "DB801", "DB802", "DB804", "DB805", "DB806", "DB808")
"""Rules that need nothing of what an archive leaves out of a result."""


_RUNS = {
    "intel-xeon-2c/onnxruntime-cpu-1t-later": ("tv_alexnet", "misc_lstm_lm", "timm_levit_128"),
    "amd-epyc-2c/onnxruntime-cpu-1t-night": ("hf_gpt2", "misc_lstm_lm", "tv_shufflenet_v2_x1_0"),
    "amd-epyc-2c/onnxruntime-cpu-2t": ("int8_tv_resnet18", "tv_mobilenet_v3_large"),
}


@pytest.mark.parametrize("file", _RUNS)
def test_no_honest_run_is_refused(file: str) -> None:
    """Runs of two machines, one and two threads, quiet and busy hours break none; ``benchmarks/rules.py`` asks all."""
    rules = [rule for rule in RULES if rule.id in _WHOLE]
    assert len(rules) == len(_WHOLE)
    for run in read_runs(_KEPT / f"{file}.parquet", _RUNS[file]).values():
        document = run.document
        view = arrange(document, suite=None, known_suites=None, now_unix_ns=document["started_unix_ns"])
        assert [(rule.id, *found) for rule in rules for found in rule.find(view)] == []
