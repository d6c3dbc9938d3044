"""Concat alone: `python Concat_f009f88debe6.py [--threads N] [--json]`.

Benchmark f009f88debe672d56c8c622261ed39de613bee9085a7f712542b46352ff8f8a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f009f88debe672d56c8c622261ed39de613bee9085a7f712542b46352ff8f8a5', SUITE, sys.argv[1:]))
