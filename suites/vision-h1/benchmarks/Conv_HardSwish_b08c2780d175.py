"""Conv_HardSwish alone: `python Conv_HardSwish_b08c2780d175.py [--threads N] [--json]`.

Benchmark b08c2780d175066f465b88ed56f302be544dac90c5ecf30558980e4cde096a08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b08c2780d175066f465b88ed56f302be544dac90c5ecf30558980e4cde096a08', SUITE, sys.argv[1:]))
