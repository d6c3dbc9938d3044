"""Conv alone: `python Conv_7b785314724b.py [--threads N] [--json]`.

Benchmark 7b785314724b9474e799b11a50b9a98f589b66ba7c4d5824a55b7345c1660579,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b785314724b9474e799b11a50b9a98f589b66ba7c4d5824a55b7345c1660579', SUITE, sys.argv[1:]))
