"""Conv alone: `python Conv_17c7c4f00156.py [--threads N] [--json]`.

Benchmark 17c7c4f001560eca0d97cb59a25b4037445982d6123b942af1569b49923aad8e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17c7c4f001560eca0d97cb59a25b4037445982d6123b942af1569b49923aad8e', SUITE, sys.argv[1:]))
