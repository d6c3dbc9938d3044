"""MaxPool alone: `python MaxPool_e2e985cd7311.py [--threads N] [--json]`.

Benchmark e2e985cd731114d4156418802f68f45a375e6c46e3a567ce2b7dd6628b595a43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2e985cd731114d4156418802f68f45a375e6c46e3a567ce2b7dd6628b595a43', SUITE, sys.argv[1:]))
