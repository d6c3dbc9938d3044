"""Add alone: `python Add_461de0154e7b.py [--threads N] [--json]`.

Benchmark 461de0154e7b908b448146a95bd03abab28f6daf7634ac4ca565db130fb0267c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('461de0154e7b908b448146a95bd03abab28f6daf7634ac4ca565db130fb0267c', SUITE, sys.argv[1:]))
