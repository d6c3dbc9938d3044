"""BatchNormalization alone: `python BatchNormalization_7120f3a5a813.py [--threads N] [--json]`.

Benchmark 7120f3a5a813923734077bd38e1665694d6038f01c9e277ece9ddfff69419205,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7120f3a5a813923734077bd38e1665694d6038f01c9e277ece9ddfff69419205', SUITE, sys.argv[1:]))
