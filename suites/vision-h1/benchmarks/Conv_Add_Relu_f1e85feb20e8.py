"""Conv_Add_Relu alone: `python Conv_Add_Relu_f1e85feb20e8.py [--threads N] [--json]`.

Benchmark f1e85feb20e8698a17905fc28769d6ea34c0db2e2fe716a7009d62e51413e0ec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1e85feb20e8698a17905fc28769d6ea34c0db2e2fe716a7009d62e51413e0ec', SUITE, sys.argv[1:]))
