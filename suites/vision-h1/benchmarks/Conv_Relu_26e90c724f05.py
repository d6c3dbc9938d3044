"""Conv_Relu alone: `python Conv_Relu_26e90c724f05.py [--threads N] [--json]`.

Benchmark 26e90c724f055669def074cc3b550394baf4e25921a22f581068bb2fa97f8305,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('26e90c724f055669def074cc3b550394baf4e25921a22f581068bb2fa97f8305', SUITE, sys.argv[1:]))
