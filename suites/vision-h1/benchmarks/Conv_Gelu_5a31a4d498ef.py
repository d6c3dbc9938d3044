"""Conv_Gelu alone: `python Conv_Gelu_5a31a4d498ef.py [--threads N] [--json]`.

Benchmark 5a31a4d498effd1f6b8d5280b1e181647d36be43eb584ec6a918be10fb52f526,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5a31a4d498effd1f6b8d5280b1e181647d36be43eb584ec6a918be10fb52f526', SUITE, sys.argv[1:]))
