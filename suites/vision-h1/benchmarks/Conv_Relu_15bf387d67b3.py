"""Conv_Relu alone: `python Conv_Relu_15bf387d67b3.py [--threads N] [--json]`.

Benchmark 15bf387d67b3d5a6aaa64b444e27ec4593283c662e271ea8b462d612b7fdd95e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('15bf387d67b3d5a6aaa64b444e27ec4593283c662e271ea8b462d612b7fdd95e', SUITE, sys.argv[1:]))
