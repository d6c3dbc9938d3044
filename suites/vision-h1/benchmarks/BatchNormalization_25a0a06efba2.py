"""BatchNormalization alone: `python BatchNormalization_25a0a06efba2.py [--threads N] [--json]`.

Benchmark 25a0a06efba2e9254e59fa6195d2c5119611f93239f48199da073ec89e93a0ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('25a0a06efba2e9254e59fa6195d2c5119611f93239f48199da073ec89e93a0ab', SUITE, sys.argv[1:]))
