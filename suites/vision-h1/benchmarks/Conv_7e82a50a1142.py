"""Conv alone: `python Conv_7e82a50a1142.py [--threads N] [--json]`.

Benchmark 7e82a50a1142b0bbec5810bbe096d78f9e9d39ae1fe542180d3d4f73d16f5a95,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e82a50a1142b0bbec5810bbe096d78f9e9d39ae1fe542180d3d4f73d16f5a95', SUITE, sys.argv[1:]))
