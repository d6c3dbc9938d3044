"""Conv_Add_Relu alone: `python Conv_Add_Relu_dbc4540b65bf.py [--threads N] [--json]`.

Benchmark dbc4540b65bfe97fbf4bf471c29fdb5cb6fb856a481392d13208cb7e044fa6fc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbc4540b65bfe97fbf4bf471c29fdb5cb6fb856a481392d13208cb7e044fa6fc', SUITE, sys.argv[1:]))
