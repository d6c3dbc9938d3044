"""BatchNormalization alone: `python BatchNormalization_cba56141a808.py [--threads N] [--json]`.

Benchmark cba56141a808e81ba37bcc9b0ea54ed33408577d1fdebe01ed2bff6a17478a82,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cba56141a808e81ba37bcc9b0ea54ed33408577d1fdebe01ed2bff6a17478a82', SUITE, sys.argv[1:]))
