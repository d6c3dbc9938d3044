"""Conv alone: `python Conv_7c17a69f889c.py [--threads N] [--json]`.

Benchmark 7c17a69f889cf2860f377e602cd124e9a0e1c681c1d209b41fec0fcae1063ac1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c17a69f889cf2860f377e602cd124e9a0e1c681c1d209b41fec0fcae1063ac1', SUITE, sys.argv[1:]))
