"""InstanceNormalization alone: `python InstanceNormalization_639727395970.py [--threads N] [--json]`.

Benchmark 639727395970fccb2e3ac678088ffaa027d6dec5eadd9c205ee845b32cd5d9d6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('639727395970fccb2e3ac678088ffaa027d6dec5eadd9c205ee845b32cd5d9d6', SUITE, sys.argv[1:]))
