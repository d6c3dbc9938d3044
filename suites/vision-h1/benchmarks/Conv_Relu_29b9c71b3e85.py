"""Conv_Relu alone: `python Conv_Relu_29b9c71b3e85.py [--threads N] [--json]`.

Benchmark 29b9c71b3e85a05159163e806ce00516ce07dbddfbeba2819d3a8dad6a66bc03,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('29b9c71b3e85a05159163e806ce00516ce07dbddfbeba2819d3a8dad6a66bc03', SUITE, sys.argv[1:]))
