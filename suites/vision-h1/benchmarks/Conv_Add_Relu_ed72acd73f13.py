"""Conv_Add_Relu alone: `python Conv_Add_Relu_ed72acd73f13.py [--threads N] [--json]`.

Benchmark ed72acd73f13bc44b67a14ad07e2ce23ab17637f143910ac435759355a925ab9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed72acd73f13bc44b67a14ad07e2ce23ab17637f143910ac435759355a925ab9', SUITE, sys.argv[1:]))
