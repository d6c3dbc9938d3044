"""Split alone: `python Split_204ad2673786.py [--threads N] [--json]`.

Benchmark 204ad26737863ab9f4b4dbeef548e8e032a44de5fc5b1ffc0a68db0ebede04e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('204ad26737863ab9f4b4dbeef548e8e032a44de5fc5b1ffc0a68db0ebede04e4', SUITE, sys.argv[1:]))
