"""Conv_Relu alone: `python Conv_Relu_1c17c2e2f236.py [--threads N] [--json]`.

Benchmark 1c17c2e2f236ea8e0630f189cfa34545a9d27943b4b4a6110206cd8b5daa06df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c17c2e2f236ea8e0630f189cfa34545a9d27943b4b4a6110206cd8b5daa06df', SUITE, sys.argv[1:]))
