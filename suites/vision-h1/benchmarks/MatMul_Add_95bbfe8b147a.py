"""MatMul_Add alone: `python MatMul_Add_95bbfe8b147a.py [--threads N] [--json]`.

Benchmark 95bbfe8b147a174d234712eaa447c8b61be82d789fa77a5062bf791a5cef7b97,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95bbfe8b147a174d234712eaa447c8b61be82d789fa77a5062bf791a5cef7b97', SUITE, sys.argv[1:]))
