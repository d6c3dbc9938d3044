"""Conv_Sigmoid alone: `python Conv_Sigmoid_3ed30edbf9b1.py [--threads N] [--json]`.

Benchmark 3ed30edbf9b13186997270506dc8ffc6d06de92dd7fc3833296a76140f553706,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ed30edbf9b13186997270506dc8ffc6d06de92dd7fc3833296a76140f553706', SUITE, sys.argv[1:]))
