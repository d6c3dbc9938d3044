"""Conv_Relu alone: `python Conv_Relu_7586fd5872c0.py [--threads N] [--json]`.

Benchmark 7586fd5872c06bbf9e52e88b484de4cf4584a42057232370558cd9f7b8b30eab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7586fd5872c06bbf9e52e88b484de4cf4584a42057232370558cd9f7b8b30eab', SUITE, sys.argv[1:]))
