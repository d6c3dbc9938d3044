"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_77870bf3984e.py [--threads N] [--json]`.

Benchmark 77870bf3984e766eb29e47e37a9ddae2fab9d62693132d1b9e73aab69d994eec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('77870bf3984e766eb29e47e37a9ddae2fab9d62693132d1b9e73aab69d994eec', SUITE, sys.argv[1:]))
