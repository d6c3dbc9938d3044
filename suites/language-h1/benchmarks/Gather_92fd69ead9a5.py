"""Gather alone: `python Gather_92fd69ead9a5.py [--threads N] [--json]`.

Benchmark 92fd69ead9a5052439a11aeac34e67a9d85f1653e8e40a2727a2e579a144fca6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('92fd69ead9a5052439a11aeac34e67a9d85f1653e8e40a2727a2e579a144fca6', SUITE, sys.argv[1:]))
