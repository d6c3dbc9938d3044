"""Conv_Relu alone: `python Conv_Relu_6e3e3b810421.py [--threads N] [--json]`.

Benchmark 6e3e3b810421ab664f67741336a6842515c317a79ed878bac18789dbf48d67f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e3e3b810421ab664f67741336a6842515c317a79ed878bac18789dbf48d67f2', SUITE, sys.argv[1:]))
