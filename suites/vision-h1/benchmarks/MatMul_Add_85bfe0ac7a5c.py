"""MatMul_Add alone: `python MatMul_Add_85bfe0ac7a5c.py [--threads N] [--json]`.

Benchmark 85bfe0ac7a5cb4b4553b2558e81e3977ae674700489be4e88de3a11acf54d2e5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85bfe0ac7a5cb4b4553b2558e81e3977ae674700489be4e88de3a11acf54d2e5', SUITE, sys.argv[1:]))
