"""MaxPool alone: `python MaxPool_03a9a43bd1e4.py [--threads N] [--json]`.

Benchmark 03a9a43bd1e49e85a20773906ba523cf34acc2e227fcdedba5222198c59772be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03a9a43bd1e49e85a20773906ba523cf34acc2e227fcdedba5222198c59772be', SUITE, sys.argv[1:]))
