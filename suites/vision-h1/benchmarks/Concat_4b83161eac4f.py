"""Concat alone: `python Concat_4b83161eac4f.py [--threads N] [--json]`.

Benchmark 4b83161eac4fb8addeb47427352020f56e818dcda2f596f7b8261f9533adc31e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b83161eac4fb8addeb47427352020f56e818dcda2f596f7b8261f9533adc31e', SUITE, sys.argv[1:]))
