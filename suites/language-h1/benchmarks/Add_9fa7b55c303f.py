"""Add alone: `python Add_9fa7b55c303f.py [--threads N] [--json]`.

Benchmark 9fa7b55c303f4e988d9f456c84e3ac5455e43108995a8b0d7ac98b7b8ab7eb3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9fa7b55c303f4e988d9f456c84e3ac5455e43108995a8b0d7ac98b7b8ab7eb3a', SUITE, sys.argv[1:]))
