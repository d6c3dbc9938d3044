"""Conv_Relu alone: `python Conv_Relu_7747ead3ef7b.py [--threads N] [--json]`.

Benchmark 7747ead3ef7bd54eee6c50981e8b2096708ed34a22584494f9520e80c583f142,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7747ead3ef7bd54eee6c50981e8b2096708ed34a22584494f9520e80c583f142', SUITE, sys.argv[1:]))
