"""Conv_Add_Relu alone: `python Conv_Add_Relu_6749409c771f.py [--threads N] [--json]`.

Benchmark 6749409c771fae1cbf7f4adf99de0ab56d666a4c00650d3774cfe9fa11fe1f93,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6749409c771fae1cbf7f4adf99de0ab56d666a4c00650d3774cfe9fa11fe1f93', SUITE, sys.argv[1:]))
