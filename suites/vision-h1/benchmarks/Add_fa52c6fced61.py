"""Add alone: `python Add_fa52c6fced61.py [--threads N] [--json]`.

Benchmark fa52c6fced6172e7412f78661c2b746c934a063b012ccd11b515bfee813dcb10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa52c6fced6172e7412f78661c2b746c934a063b012ccd11b515bfee813dcb10', SUITE, sys.argv[1:]))
