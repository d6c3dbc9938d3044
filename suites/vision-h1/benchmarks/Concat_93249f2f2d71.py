"""Concat alone: `python Concat_93249f2f2d71.py [--threads N] [--json]`.

Benchmark 93249f2f2d7179df8f1eaeefd53b55049eb7ecb68eeca2b368499017cb8c1ced,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('93249f2f2d7179df8f1eaeefd53b55049eb7ecb68eeca2b368499017cb8c1ced', SUITE, sys.argv[1:]))
