"""BatchNormalization alone: `python BatchNormalization_d1712a85aafd.py [--threads N] [--json]`.

Benchmark d1712a85aafd3df8e43100b2d4c625a643f84206106de80b1563d84cc761ce48,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d1712a85aafd3df8e43100b2d4c625a643f84206106de80b1563d84cc761ce48', SUITE, sys.argv[1:]))
