"""BatchNormalization alone: `python BatchNormalization_cbf284e8e45c.py [--threads N] [--json]`.

Benchmark cbf284e8e45c57ff8cd22714c3e86e33665211e2de27d611bbbdf5dbbe4d8e47,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cbf284e8e45c57ff8cd22714c3e86e33665211e2de27d611bbbdf5dbbe4d8e47', SUITE, sys.argv[1:]))
