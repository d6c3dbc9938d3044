"""Concat alone: `python Concat_d30519af7aa3.py [--threads N] [--json]`.

Benchmark d30519af7aa30896a4f629577af44ce00642c04346a01ab09f683706b11a65fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d30519af7aa30896a4f629577af44ce00642c04346a01ab09f683706b11a65fe', SUITE, sys.argv[1:]))
