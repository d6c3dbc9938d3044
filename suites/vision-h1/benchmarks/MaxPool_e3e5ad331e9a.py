"""MaxPool alone: `python MaxPool_e3e5ad331e9a.py [--threads N] [--json]`.

Benchmark e3e5ad331e9afad3ad69c02cd06f915c5ab21ddd2e8a5a8cf923e8b9e13d593e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3e5ad331e9afad3ad69c02cd06f915c5ab21ddd2e8a5a8cf923e8b9e13d593e', SUITE, sys.argv[1:]))
