"""Conv_Relu alone: `python Conv_Relu_4443bb88a67c.py [--threads N] [--json]`.

Benchmark 4443bb88a67c49866be13e9c9daf4f9663ec75aa0d309a3c0140d0f4009eef41,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4443bb88a67c49866be13e9c9daf4f9663ec75aa0d309a3c0140d0f4009eef41', SUITE, sys.argv[1:]))
