"""Conv_Relu alone: `python Conv_Relu_297c19283742.py [--threads N] [--json]`.

Benchmark 297c19283742a97cbfcdda748f7a30b751645a995cdd5c142f2a283b6dd33198,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('297c19283742a97cbfcdda748f7a30b751645a995cdd5c142f2a283b6dd33198', SUITE, sys.argv[1:]))
