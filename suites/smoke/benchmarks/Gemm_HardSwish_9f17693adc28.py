"""Gemm_HardSwish alone: `python Gemm_HardSwish_9f17693adc28.py [--threads N] [--json]`.

Benchmark 9f17693adc28c22da0830d12f45d770612b4f231cd53f223bab0bb499e91fcde,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9f17693adc28c22da0830d12f45d770612b4f231cd53f223bab0bb499e91fcde', SUITE, sys.argv[1:]))
