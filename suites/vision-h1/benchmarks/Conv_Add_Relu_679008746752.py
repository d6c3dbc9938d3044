"""Conv_Add_Relu alone: `python Conv_Add_Relu_679008746752.py [--threads N] [--json]`.

Benchmark 6790087467525c0889e647fa82555a43bce4f8d683b0b3ada880f4a43d750dcc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6790087467525c0889e647fa82555a43bce4f8d683b0b3ada880f4a43d750dcc', SUITE, sys.argv[1:]))
