"""MaxPool alone: `python MaxPool_844be56ab1b7.py [--threads N] [--json]`.

Benchmark 844be56ab1b789c3185ecea05447a49c08c226c4c91b0588b988dffc77924712,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('844be56ab1b789c3185ecea05447a49c08c226c4c91b0588b988dffc77924712', SUITE, sys.argv[1:]))
