"""BatchNormalization alone: `python BatchNormalization_7356430cb7b9.py [--threads N] [--json]`.

Benchmark 7356430cb7b9590be61f7583a32fc6bf61955735b94cefa47b9bb511450cf958,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7356430cb7b9590be61f7583a32fc6bf61955735b94cefa47b9bb511450cf958', SUITE, sys.argv[1:]))
