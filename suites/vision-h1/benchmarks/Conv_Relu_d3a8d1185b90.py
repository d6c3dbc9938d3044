"""Conv_Relu alone: `python Conv_Relu_d3a8d1185b90.py [--threads N] [--json]`.

Benchmark d3a8d1185b90d6d81b0b3cd43ade20d28a83f8d189c47a9f26c0673ad16f9071,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d3a8d1185b90d6d81b0b3cd43ade20d28a83f8d189c47a9f26c0673ad16f9071', SUITE, sys.argv[1:]))
