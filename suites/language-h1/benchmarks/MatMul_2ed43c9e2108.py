"""MatMul alone: `python MatMul_2ed43c9e2108.py [--threads N] [--json]`.

Benchmark 2ed43c9e2108c91b7d3ef465d138c4c5731af236891bef8c7afb7d799d132f57,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2ed43c9e2108c91b7d3ef465d138c4c5731af236891bef8c7afb7d799d132f57', SUITE, sys.argv[1:]))
