"""BatchNormalization alone: `python BatchNormalization_e3d17541aa45.py [--threads N] [--json]`.

Benchmark e3d17541aa45fef5a75e96ad22532a4d949e2d401d681fc8750f06183946879f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3d17541aa45fef5a75e96ad22532a4d949e2d401d681fc8750f06183946879f', SUITE, sys.argv[1:]))
