"""LayerNormalization alone: `python LayerNormalization_bcf01a4ac9ec.py [--threads N] [--json]`.

Benchmark bcf01a4ac9ec224aa0272f932b2adb0203f8e71c4358baa1d9e818d72f34f905,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcf01a4ac9ec224aa0272f932b2adb0203f8e71c4358baa1d9e818d72f34f905', SUITE, sys.argv[1:]))
