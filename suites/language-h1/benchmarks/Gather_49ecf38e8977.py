"""Gather alone: `python Gather_49ecf38e8977.py [--threads N] [--json]`.

Benchmark 49ecf38e8977fa8ae4194d64bd676dfe0634492b8860dd6018eee70c345b7700,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49ecf38e8977fa8ae4194d64bd676dfe0634492b8860dd6018eee70c345b7700', SUITE, sys.argv[1:]))
