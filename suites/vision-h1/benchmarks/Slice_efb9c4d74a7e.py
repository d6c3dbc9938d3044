"""Slice alone: `python Slice_efb9c4d74a7e.py [--threads N] [--json]`.

Benchmark efb9c4d74a7e73b40887be30bd165db4a96498cca339afe25de3476bfaec7586,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('efb9c4d74a7e73b40887be30bd165db4a96498cca339afe25de3476bfaec7586', SUITE, sys.argv[1:]))
