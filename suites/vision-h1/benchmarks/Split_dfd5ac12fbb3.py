"""Split alone: `python Split_dfd5ac12fbb3.py [--threads N] [--json]`.

Benchmark dfd5ac12fbb3a192ebbfd3b21df9a17e3804c33febe8543891d368629a06c260,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dfd5ac12fbb3a192ebbfd3b21df9a17e3804c33febe8543891d368629a06c260', SUITE, sys.argv[1:]))
