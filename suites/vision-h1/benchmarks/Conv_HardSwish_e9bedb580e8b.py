"""Conv_HardSwish alone: `python Conv_HardSwish_e9bedb580e8b.py [--threads N] [--json]`.

Benchmark e9bedb580e8bab9e8af713f8057628793d6c6a2311eb2ad9676ef5ed96bfb793,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e9bedb580e8bab9e8af713f8057628793d6c6a2311eb2ad9676ef5ed96bfb793', SUITE, sys.argv[1:]))
