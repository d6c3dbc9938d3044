"""BatchNormalization alone: `python BatchNormalization_8ddf8553edf0.py [--threads N] [--json]`.

Benchmark 8ddf8553edf0c6018d0fb1c7ee302b1c1247ef2b4553d6ee0a7c3635bfe6252e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ddf8553edf0c6018d0fb1c7ee302b1c1247ef2b4553d6ee0a7c3635bfe6252e', SUITE, sys.argv[1:]))
