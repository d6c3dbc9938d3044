"""Conv_Relu alone: `python Conv_Relu_f11de9c2f800.py [--threads N] [--json]`.

Benchmark f11de9c2f8001c671e9b5ad3886e857ad82df0868dc1125ee46cb97c552c828e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f11de9c2f8001c671e9b5ad3886e857ad82df0868dc1125ee46cb97c552c828e', SUITE, sys.argv[1:]))
