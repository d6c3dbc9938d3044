"""Slice alone: `python Slice_16054ea78fba.py [--threads N] [--json]`.

Benchmark 16054ea78fba8f7ec908fa23014f15ad54c08d02da25e32865ad0af2feffa5b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16054ea78fba8f7ec908fa23014f15ad54c08d02da25e32865ad0af2feffa5b1', SUITE, sys.argv[1:]))
