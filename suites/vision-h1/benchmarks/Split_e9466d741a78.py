"""Split alone: `python Split_e9466d741a78.py [--threads N] [--json]`.

Benchmark e9466d741a78ce7a0b7162aed0b89896ff13b784d079cf22cadd11cfd74c92aa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e9466d741a78ce7a0b7162aed0b89896ff13b784d079cf22cadd11cfd74c92aa', SUITE, sys.argv[1:]))
