"""ReduceMean alone: `python ReduceMean_81ba5ef4ccec.py [--threads N] [--json]`.

Benchmark 81ba5ef4ccec3848346bf4abac38c74cc9c1bbe8b4634b818a90c16b5ed6c03a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81ba5ef4ccec3848346bf4abac38c74cc9c1bbe8b4634b818a90c16b5ed6c03a', SUITE, sys.argv[1:]))
