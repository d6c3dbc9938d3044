"""Conv_Relu alone: `python Conv_Relu_d537fd5806f4.py [--threads N] [--json]`.

Benchmark d537fd5806f4e03628d01f899beb9172207ef65796722f6af6faf58de484cd07,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d537fd5806f4e03628d01f899beb9172207ef65796722f6af6faf58de484cd07', SUITE, sys.argv[1:]))
