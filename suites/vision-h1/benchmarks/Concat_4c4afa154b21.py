"""Concat alone: `python Concat_4c4afa154b21.py [--threads N] [--json]`.

Benchmark 4c4afa154b21d6927e11b528fd5b401bdbb4c305c98e5911c4172ba00f66a096,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c4afa154b21d6927e11b528fd5b401bdbb4c305c98e5911c4172ba00f66a096', SUITE, sys.argv[1:]))
