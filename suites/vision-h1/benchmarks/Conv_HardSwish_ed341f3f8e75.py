"""Conv_HardSwish alone: `python Conv_HardSwish_ed341f3f8e75.py [--threads N] [--json]`.

Benchmark ed341f3f8e7502b491d69e4bb0ad2d86b846df37047332d1fe15aea5d2798185,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed341f3f8e7502b491d69e4bb0ad2d86b846df37047332d1fe15aea5d2798185', SUITE, sys.argv[1:]))
