"""BatchNormalization alone: `python BatchNormalization_caaecec40ae2.py [--threads N] [--json]`.

Benchmark caaecec40ae2b6f5ac132893e123bd32c6ab4d217327c571151e5fcbec013f96,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('caaecec40ae2b6f5ac132893e123bd32c6ab4d217327c571151e5fcbec013f96', SUITE, sys.argv[1:]))
