"""Conv_Relu alone: `python Conv_Relu_86182485acaa.py [--threads N] [--json]`.

Benchmark 86182485acaaf456667cb5a3d7d86568e8c11ba350f9f96487d32c019a327040,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('86182485acaaf456667cb5a3d7d86568e8c11ba350f9f96487d32c019a327040', SUITE, sys.argv[1:]))
