"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_796a0bab1acf.py [--threads N] [--json]`.

Benchmark 796a0bab1acf2f1d5d5e515eb14238329bc235cfe97c779de10d431783f32b5c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('796a0bab1acf2f1d5d5e515eb14238329bc235cfe97c779de10d431783f32b5c', SUITE, sys.argv[1:]))
