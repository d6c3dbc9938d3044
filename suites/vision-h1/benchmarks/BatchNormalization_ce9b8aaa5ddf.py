"""BatchNormalization alone: `python BatchNormalization_ce9b8aaa5ddf.py [--threads N] [--json]`.

Benchmark ce9b8aaa5ddf4ead280ad274b5ff2c0922049505f8a366a985704a0e4891822c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce9b8aaa5ddf4ead280ad274b5ff2c0922049505f8a366a985704a0e4891822c', SUITE, sys.argv[1:]))
