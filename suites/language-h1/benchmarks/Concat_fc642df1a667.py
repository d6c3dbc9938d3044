"""Concat alone: `python Concat_fc642df1a667.py [--threads N] [--json]`.

Benchmark fc642df1a6678ee75fe0f164bcdb6d166c9649a07089ecf4f9da754e62b9b186,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc642df1a6678ee75fe0f164bcdb6d166c9649a07089ecf4f9da754e62b9b186', SUITE, sys.argv[1:]))
