"""Conv_Relu alone: `python Conv_Relu_60e975245083.py [--threads N] [--json]`.

Benchmark 60e975245083625a98f069c14ee8c2aa56eccca0cf2988c8bdbcbad0801f1a28,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('60e975245083625a98f069c14ee8c2aa56eccca0cf2988c8bdbcbad0801f1a28', SUITE, sys.argv[1:]))
