"""Concat alone: `python Concat_3b68094bca5d.py [--threads N] [--json]`.

Benchmark 3b68094bca5d71a0c54a58aeb8c216b35ab5f483bce6c0869c6f2df860cde9c7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b68094bca5d71a0c54a58aeb8c216b35ab5f483bce6c0869c6f2df860cde9c7', SUITE, sys.argv[1:]))
