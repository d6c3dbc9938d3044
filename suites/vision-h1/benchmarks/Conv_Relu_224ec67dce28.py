"""Conv_Relu alone: `python Conv_Relu_224ec67dce28.py [--threads N] [--json]`.

Benchmark 224ec67dce2838e8f80fa694e233d283e6494edd2a100f2c2efa8b3a2e7834d8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('224ec67dce2838e8f80fa694e233d283e6494edd2a100f2c2efa8b3a2e7834d8', SUITE, sys.argv[1:]))
