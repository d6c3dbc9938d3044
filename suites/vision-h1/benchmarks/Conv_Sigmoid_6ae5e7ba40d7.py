"""Conv_Sigmoid alone: `python Conv_Sigmoid_6ae5e7ba40d7.py [--threads N] [--json]`.

Benchmark 6ae5e7ba40d75d8a4a43272706784441ff47e4a6ffecd61fd378ae195dbe196d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ae5e7ba40d75d8a4a43272706784441ff47e4a6ffecd61fd378ae195dbe196d', SUITE, sys.argv[1:]))
