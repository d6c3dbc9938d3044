"""BatchNormalization alone: `python BatchNormalization_4f2c76e47352.py [--threads N] [--json]`.

Benchmark 4f2c76e47352e97a5b06bf1ce141dea7ec706418d4ef17b97124941a097e9355,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4f2c76e47352e97a5b06bf1ce141dea7ec706418d4ef17b97124941a097e9355', SUITE, sys.argv[1:]))
