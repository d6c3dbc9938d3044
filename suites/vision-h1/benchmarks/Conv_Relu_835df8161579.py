"""Conv_Relu alone: `python Conv_Relu_835df8161579.py [--threads N] [--json]`.

Benchmark 835df81615790757eb41b58c2aeade1131497f6c56b12686866637c4b40acaa5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('835df81615790757eb41b58c2aeade1131497f6c56b12686866637c4b40acaa5', SUITE, sys.argv[1:]))
