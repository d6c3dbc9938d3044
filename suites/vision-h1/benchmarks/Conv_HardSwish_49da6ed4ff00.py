"""Conv_HardSwish alone: `python Conv_HardSwish_49da6ed4ff00.py [--threads N] [--json]`.

Benchmark 49da6ed4ff00bd6e9f9ba9ce095138c3ad4cc86d4f4f07b810ccf21925752d8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49da6ed4ff00bd6e9f9ba9ce095138c3ad4cc86d4f4f07b810ccf21925752d8a', SUITE, sys.argv[1:]))
