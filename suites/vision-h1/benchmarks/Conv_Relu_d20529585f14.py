"""Conv_Relu alone: `python Conv_Relu_d20529585f14.py [--threads N] [--json]`.

Benchmark d20529585f14f112cd061c6d4e751c6a8cd67ba3b5e170b4b59be37f215a5b98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d20529585f14f112cd061c6d4e751c6a8cd67ba3b5e170b4b59be37f215a5b98', SUITE, sys.argv[1:]))
