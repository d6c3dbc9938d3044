"""Add alone: `python Add_e72088e7d8a6.py [--threads N] [--json]`.

Benchmark e72088e7d8a63741340c533e5488d1e55f0edff8e5a71a46477ebf6fe7f2258a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e72088e7d8a63741340c533e5488d1e55f0edff8e5a71a46477ebf6fe7f2258a', SUITE, sys.argv[1:]))
