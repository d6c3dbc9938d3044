"""Conv alone: `python Conv_f46a293cadaa.py [--threads N] [--json]`.

Benchmark f46a293cadaa3d86e9add8b8d344a2cc768cc4320cd5655c8491e546641ccc9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f46a293cadaa3d86e9add8b8d344a2cc768cc4320cd5655c8491e546641ccc9c', SUITE, sys.argv[1:]))
