"""Add alone: `python Add_72a97f50dd26.py [--threads N] [--json]`.

Benchmark 72a97f50dd264d74cdb0444005e0ed550187de73407a30cd1007223787c0caf3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72a97f50dd264d74cdb0444005e0ed550187de73407a30cd1007223787c0caf3', SUITE, sys.argv[1:]))
