"""Conv alone: `python Conv_776d502d5206.py [--threads N] [--json]`.

Benchmark 776d502d52066a3c3b8321513e1ca5596c373686fc4c8efa7aa8fb8b8a802ae7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('776d502d52066a3c3b8321513e1ca5596c373686fc4c8efa7aa8fb8b8a802ae7', SUITE, sys.argv[1:]))
