"""Gather alone: `python Gather_fdc2be28c6b7.py [--threads N] [--json]`.

Benchmark fdc2be28c6b7b9fc29f6f069c0263b3ce6f8a1139e3f8e190fabb938d4459677,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fdc2be28c6b7b9fc29f6f069c0263b3ce6f8a1139e3f8e190fabb938d4459677', SUITE, sys.argv[1:]))
