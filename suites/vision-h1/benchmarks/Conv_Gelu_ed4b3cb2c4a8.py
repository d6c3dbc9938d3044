"""Conv_Gelu alone: `python Conv_Gelu_ed4b3cb2c4a8.py [--threads N] [--json]`.

Benchmark ed4b3cb2c4a8370836dda0c11969fa4f2a25b6e9af2561ab4ed82c38173d163b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed4b3cb2c4a8370836dda0c11969fa4f2a25b6e9af2561ab4ed82c38173d163b', SUITE, sys.argv[1:]))
