"""BatchNormalization alone: `python BatchNormalization_fa1b6ca7f7e0.py [--threads N] [--json]`.

Benchmark fa1b6ca7f7e053ce4bfc4c877c23123ade57154a796aa049704a059cf8f1fb53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa1b6ca7f7e053ce4bfc4c877c23123ade57154a796aa049704a059cf8f1fb53', SUITE, sys.argv[1:]))
