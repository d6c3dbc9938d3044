"""Conv_Relu alone: `python Conv_Relu_0a1f01175bf1.py [--threads N] [--json]`.

Benchmark 0a1f01175bf18e77b834d2b77447cbdf1c236d7e016cdca4de5058a73b045d9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0a1f01175bf18e77b834d2b77447cbdf1c236d7e016cdca4de5058a73b045d9f', SUITE, sys.argv[1:]))
