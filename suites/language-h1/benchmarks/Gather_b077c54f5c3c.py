"""Gather alone: `python Gather_b077c54f5c3c.py [--threads N] [--json]`.

Benchmark b077c54f5c3cadd94b728ba6a14c72b75363d19f5b79cf1fc275554f80bfbae4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b077c54f5c3cadd94b728ba6a14c72b75363d19f5b79cf1fc275554f80bfbae4', SUITE, sys.argv[1:]))
