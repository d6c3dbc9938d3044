"""Conv_HardSwish alone: `python Conv_HardSwish_7461bb016463.py [--threads N] [--json]`.

Benchmark 7461bb016463f6dd6d09deeff4f914b395807276d4f52f05553723ca66f51169,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7461bb016463f6dd6d09deeff4f914b395807276d4f52f05553723ca66f51169', SUITE, sys.argv[1:]))
