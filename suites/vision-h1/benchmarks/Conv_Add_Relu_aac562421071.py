"""Conv_Add_Relu alone: `python Conv_Add_Relu_aac562421071.py [--threads N] [--json]`.

Benchmark aac5624210715bbac1c9932afe4f7e0a20a14be3ce9afb6de896356f9b49c794,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aac5624210715bbac1c9932afe4f7e0a20a14be3ce9afb6de896356f9b49c794', SUITE, sys.argv[1:]))
