"""Add alone: `python Add_f522cf63e884.py [--threads N] [--json]`.

Benchmark f522cf63e8841e51691731944132eef9e299669e49c2ade6ea45010bddf7e1df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f522cf63e8841e51691731944132eef9e299669e49c2ade6ea45010bddf7e1df', SUITE, sys.argv[1:]))
