"""Add alone: `python Add_32c61492339f.py [--threads N] [--json]`.

Benchmark 32c61492339f7a20718fb96b75b367ef6d17202c2b204173a0f1bdf70e3e9420,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('32c61492339f7a20718fb96b75b367ef6d17202c2b204173a0f1bdf70e3e9420', SUITE, sys.argv[1:]))
