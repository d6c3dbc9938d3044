"""Concat alone: `python Concat_561008948407.py [--threads N] [--json]`.

Benchmark 561008948407846fb2d54000606fda58b6ba1004b695572dc984b57879663eae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('561008948407846fb2d54000606fda58b6ba1004b695572dc984b57879663eae', SUITE, sys.argv[1:]))
