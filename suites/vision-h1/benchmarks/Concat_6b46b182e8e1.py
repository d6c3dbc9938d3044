"""Concat alone: `python Concat_6b46b182e8e1.py [--threads N] [--json]`.

Benchmark 6b46b182e8e1e9c94f3fe471ca474f36e240a572d2bda5991d4bb51a5c19f1c4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b46b182e8e1e9c94f3fe471ca474f36e240a572d2bda5991d4bb51a5c19f1c4', SUITE, sys.argv[1:]))
