"""BatchNormalization alone: `python BatchNormalization_5033c54bbeab.py [--threads N] [--json]`.

Benchmark 5033c54bbeab081629c6c95b1a8c387d6d9ffe011215c88597a173c924ba8b63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5033c54bbeab081629c6c95b1a8c387d6d9ffe011215c88597a173c924ba8b63', SUITE, sys.argv[1:]))
