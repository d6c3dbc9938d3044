"""Conv_HardSwish alone: `python Conv_HardSwish_2b6a705d93eb.py [--threads N] [--json]`.

Benchmark 2b6a705d93eb27acbfc88ae9bf21796933b5465612279f012187fc74fd903a68,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b6a705d93eb27acbfc88ae9bf21796933b5465612279f012187fc74fd903a68', SUITE, sys.argv[1:]))
