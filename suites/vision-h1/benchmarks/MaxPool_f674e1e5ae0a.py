"""MaxPool alone: `python MaxPool_f674e1e5ae0a.py [--threads N] [--json]`.

Benchmark f674e1e5ae0a55f4a90e029c6bb84e153d1aa6d4db14a82191a2ded42a9a5aa6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f674e1e5ae0a55f4a90e029c6bb84e153d1aa6d4db14a82191a2ded42a9a5aa6', SUITE, sys.argv[1:]))
