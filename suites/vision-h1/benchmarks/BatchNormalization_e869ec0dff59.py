"""BatchNormalization alone: `python BatchNormalization_e869ec0dff59.py [--threads N] [--json]`.

Benchmark e869ec0dff59e7366be4c2e8753e99b6724b12bda580b090dca8dfc91aa19878,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e869ec0dff59e7366be4c2e8753e99b6724b12bda580b090dca8dfc91aa19878', SUITE, sys.argv[1:]))
