"""BatchNormalization alone: `python BatchNormalization_bf7fb7495390.py [--threads N] [--json]`.

Benchmark bf7fb7495390bcea63601ffcf8ab65c38a7d99642333153f65b0f17fbc7914d2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bf7fb7495390bcea63601ffcf8ab65c38a7d99642333153f65b0f17fbc7914d2', SUITE, sys.argv[1:]))
