"""BatchNormalization alone: `python BatchNormalization_8820c76213b5.py [--threads N] [--json]`.

Benchmark 8820c76213b5c9e71ef526ebd2cbbe6f21400ab86ae9b68a7b6e30d513e610be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8820c76213b5c9e71ef526ebd2cbbe6f21400ab86ae9b68a7b6e30d513e610be', SUITE, sys.argv[1:]))
