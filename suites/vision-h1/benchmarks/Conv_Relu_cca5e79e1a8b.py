"""Conv_Relu alone: `python Conv_Relu_cca5e79e1a8b.py [--threads N] [--json]`.

Benchmark cca5e79e1a8bdfb85dda760bccaa14ffec349f6d0cad97ec2f81d10365880487,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cca5e79e1a8bdfb85dda760bccaa14ffec349f6d0cad97ec2f81d10365880487', SUITE, sys.argv[1:]))
