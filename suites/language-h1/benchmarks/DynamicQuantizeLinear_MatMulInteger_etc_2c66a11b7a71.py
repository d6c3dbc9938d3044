"""DynamicQuantizeLinear_MatMulInteger_etc alone: `python DynamicQuantizeLinear_MatMulInteger_etc_2c66a11b7a71.py [--threads N] [--json]`.

Benchmark 2c66a11b7a711ab7b76a1b3095be26e29fa48afdaf2107cfbe7a782ae0f3d97f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2c66a11b7a711ab7b76a1b3095be26e29fa48afdaf2107cfbe7a782ae0f3d97f', SUITE, sys.argv[1:]))
