"""Split alone: `python Split_f78a97285aef.py [--threads N] [--json]`.

Benchmark f78a97285aefe6ae167f8f2cbca53cdbc5a6b4c806831bbf44c4f752daf8db72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f78a97285aefe6ae167f8f2cbca53cdbc5a6b4c806831bbf44c4f752daf8db72', SUITE, sys.argv[1:]))
