"""InstanceNormalization alone: `python InstanceNormalization_43be6b681f7f.py [--threads N] [--json]`.

Benchmark 43be6b681f7fc102fc2c13e4c0f4ff47e5bac8176fc9ee1062c6149bcdd8f994,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43be6b681f7fc102fc2c13e4c0f4ff47e5bac8176fc9ee1062c6149bcdd8f994', SUITE, sys.argv[1:]))
