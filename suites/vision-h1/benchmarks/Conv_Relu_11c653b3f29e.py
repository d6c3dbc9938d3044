"""Conv_Relu alone: `python Conv_Relu_11c653b3f29e.py [--threads N] [--json]`.

Benchmark 11c653b3f29e6a517800d4527322bf407a71392a64791f113a83016048effc57,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11c653b3f29e6a517800d4527322bf407a71392a64791f113a83016048effc57', SUITE, sys.argv[1:]))
