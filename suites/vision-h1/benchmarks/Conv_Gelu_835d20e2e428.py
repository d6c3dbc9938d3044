"""Conv_Gelu alone: `python Conv_Gelu_835d20e2e428.py [--threads N] [--json]`.

Benchmark 835d20e2e4285f45d154ec7d0197da92bf03ddc1d9ff9718d1df0ce1a47dd620,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('835d20e2e4285f45d154ec7d0197da92bf03ddc1d9ff9718d1df0ce1a47dd620', SUITE, sys.argv[1:]))
