"""Conv alone: `python Conv_c120c2817cd7.py [--threads N] [--json]`.

Benchmark c120c2817cd74319e77ab34bb544a56aceeff5ea6e742924e536d00ccd7f53b8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c120c2817cd74319e77ab34bb544a56aceeff5ea6e742924e536d00ccd7f53b8', SUITE, sys.argv[1:]))
