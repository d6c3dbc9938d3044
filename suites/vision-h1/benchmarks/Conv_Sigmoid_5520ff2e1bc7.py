"""Conv_Sigmoid alone: `python Conv_Sigmoid_5520ff2e1bc7.py [--threads N] [--json]`.

Benchmark 5520ff2e1bc727207030179d7b423d2358f86bdf385fd2f8e641b49567c8d91b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5520ff2e1bc727207030179d7b423d2358f86bdf385fd2f8e641b49567c8d91b', SUITE, sys.argv[1:]))
