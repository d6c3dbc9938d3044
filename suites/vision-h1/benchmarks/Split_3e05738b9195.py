"""Split alone: `python Split_3e05738b9195.py [--threads N] [--json]`.

Benchmark 3e05738b9195345ff396d48482b73379034a7620a4bc4a936b28e575c8c49b66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e05738b9195345ff396d48482b73379034a7620a4bc4a936b28e575c8c49b66', SUITE, sys.argv[1:]))
