"""Conv_Add_Relu alone: `python Conv_Add_Relu_9f8a1b500dda.py [--threads N] [--json]`.

Benchmark 9f8a1b500dda4bb77b0cb4427bca6f6a870aa345a47d6337fba0ffa23b839521,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9f8a1b500dda4bb77b0cb4427bca6f6a870aa345a47d6337fba0ffa23b839521', SUITE, sys.argv[1:]))
