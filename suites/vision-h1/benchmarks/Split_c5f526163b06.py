"""Split alone: `python Split_c5f526163b06.py [--threads N] [--json]`.

Benchmark c5f526163b06f348b67d1e311f6b70e689185478e7466dac0682c11c39b0c54e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c5f526163b06f348b67d1e311f6b70e689185478e7466dac0682c11c39b0c54e', SUITE, sys.argv[1:]))
