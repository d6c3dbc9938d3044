"""Conv_Relu alone: `python Conv_Relu_edef5cae6e46.py [--threads N] [--json]`.

Benchmark edef5cae6e4629a8414f8d26b4b79fd32e435cc01bd6bced2ed18c5671aefc15,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('edef5cae6e4629a8414f8d26b4b79fd32e435cc01bd6bced2ed18c5671aefc15', SUITE, sys.argv[1:]))
