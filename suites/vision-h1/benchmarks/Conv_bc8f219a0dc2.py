"""Conv alone: `python Conv_bc8f219a0dc2.py [--threads N] [--json]`.

Benchmark bc8f219a0dc207c962bb9f8299f065b52f60d610d897a8a27e6b48f471657339,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc8f219a0dc207c962bb9f8299f065b52f60d610d897a8a27e6b48f471657339', SUITE, sys.argv[1:]))
