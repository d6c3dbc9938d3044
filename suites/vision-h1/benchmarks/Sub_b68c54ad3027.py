"""Sub alone: `python Sub_b68c54ad3027.py [--threads N] [--json]`.

Benchmark b68c54ad302784acae07eaf533d1bd0350ad6aa0e9c3f65239d6a682430302aa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b68c54ad302784acae07eaf533d1bd0350ad6aa0e9c3f65239d6a682430302aa', SUITE, sys.argv[1:]))
