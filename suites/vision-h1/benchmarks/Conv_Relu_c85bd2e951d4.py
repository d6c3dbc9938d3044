"""Conv_Relu alone: `python Conv_Relu_c85bd2e951d4.py [--threads N] [--json]`.

Benchmark c85bd2e951d4a4c7d9e9832c26f26052cbad9f5abf696be38912d569311b50c9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c85bd2e951d4a4c7d9e9832c26f26052cbad9f5abf696be38912d569311b50c9', SUITE, sys.argv[1:]))
