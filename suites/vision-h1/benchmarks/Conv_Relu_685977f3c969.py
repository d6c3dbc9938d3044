"""Conv_Relu alone: `python Conv_Relu_685977f3c969.py [--threads N] [--json]`.

Benchmark 685977f3c969d6b693fb82105a436df1faf41d3cca0abd6fd96b030896ae4078,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('685977f3c969d6b693fb82105a436df1faf41d3cca0abd6fd96b030896ae4078', SUITE, sys.argv[1:]))
