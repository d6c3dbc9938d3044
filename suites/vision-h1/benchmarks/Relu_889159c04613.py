"""Relu alone: `python Relu_889159c04613.py [--threads N] [--json]`.

Benchmark 889159c046132dfa2ca59d5f1e59e34f74376ecf43178b51468aed102bcdeb73,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('889159c046132dfa2ca59d5f1e59e34f74376ecf43178b51468aed102bcdeb73', SUITE, sys.argv[1:]))
