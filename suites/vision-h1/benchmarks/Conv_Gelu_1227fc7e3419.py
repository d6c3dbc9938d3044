"""Conv_Gelu alone: `python Conv_Gelu_1227fc7e3419.py [--threads N] [--json]`.

Benchmark 1227fc7e3419632dae36a31c12eaa3cdd5c5c6561a1bb59279444522c1dce689,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1227fc7e3419632dae36a31c12eaa3cdd5c5c6561a1bb59279444522c1dce689', SUITE, sys.argv[1:]))
