"""DynamicQuantizeLinear_MatMulInteger_etc alone: `python DynamicQuantizeLinear_MatMulInteger_etc_12f6d2a2489c.py [--threads N] [--json]`.

Benchmark 12f6d2a2489c8808ca72b3fbd116c4d3ade58346b708e8a2679d0d3586d4ff10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('12f6d2a2489c8808ca72b3fbd116c4d3ade58346b708e8a2679d0d3586d4ff10', SUITE, sys.argv[1:]))
