"""Concat alone: `python Concat_98863a783ec8.py [--threads N] [--json]`.

Benchmark 98863a783ec87c42166232472cd3beec4ee6bafeff0c8ae122c93a95f3d03249,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('98863a783ec87c42166232472cd3beec4ee6bafeff0c8ae122c93a95f3d03249', SUITE, sys.argv[1:]))
