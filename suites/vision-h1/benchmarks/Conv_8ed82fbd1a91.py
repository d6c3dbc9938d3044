"""Conv alone: `python Conv_8ed82fbd1a91.py [--threads N] [--json]`.

Benchmark 8ed82fbd1a9179aa58d5ba6fadd32c8e5cb8db265f786f1c34fa4905af66e773,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ed82fbd1a9179aa58d5ba6fadd32c8e5cb8db265f786f1c34fa4905af66e773', SUITE, sys.argv[1:]))
