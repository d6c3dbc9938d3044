"""Split alone: `python Split_5ac356785fe9.py [--threads N] [--json]`.

Benchmark 5ac356785fe9e22045547363ce35e495bdf6eccfeed583302b64a4a8fc427eac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ac356785fe9e22045547363ce35e495bdf6eccfeed583302b64a4a8fc427eac', SUITE, sys.argv[1:]))
