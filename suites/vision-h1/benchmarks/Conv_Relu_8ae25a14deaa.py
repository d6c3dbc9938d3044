"""Conv_Relu alone: `python Conv_Relu_8ae25a14deaa.py [--threads N] [--json]`.

Benchmark 8ae25a14deaa03992553199fa0f1982a4f23f44c3faf96278ec2a63e0a7ad29e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ae25a14deaa03992553199fa0f1982a4f23f44c3faf96278ec2a63e0a7ad29e', SUITE, sys.argv[1:]))
