"""Conv_HardSwish alone: `python Conv_HardSwish_152e8a5eb473.py [--threads N] [--json]`.

Benchmark 152e8a5eb4732f30e1da70d681faa07fafb08a93ba3b46027b71b98ce216ec85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('152e8a5eb4732f30e1da70d681faa07fafb08a93ba3b46027b71b98ce216ec85', SUITE, sys.argv[1:]))
