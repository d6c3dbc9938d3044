"""Conv_HardSwish alone: `python Conv_HardSwish_096045ad6260.py [--threads N] [--json]`.

Benchmark 096045ad6260f0cb189c378d06e96a86b7c20ca48ed3662941124daf2073562b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('096045ad6260f0cb189c378d06e96a86b7c20ca48ed3662941124daf2073562b', SUITE, sys.argv[1:]))
