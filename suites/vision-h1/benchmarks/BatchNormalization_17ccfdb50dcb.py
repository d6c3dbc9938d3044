"""BatchNormalization alone: `python BatchNormalization_17ccfdb50dcb.py [--threads N] [--json]`.

Benchmark 17ccfdb50dcb843421ef0004188cad6519f08e0dc86679b2c0ae490f54dd4849,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17ccfdb50dcb843421ef0004188cad6519f08e0dc86679b2c0ae490f54dd4849', SUITE, sys.argv[1:]))
