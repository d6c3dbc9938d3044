"""BatchNormalization alone: `python BatchNormalization_23f5040aabb8.py [--threads N] [--json]`.

Benchmark 23f5040aabb8b6e3acac9965f768ca7c0c775961acab275db031cefbe51bc2c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('23f5040aabb8b6e3acac9965f768ca7c0c775961acab275db031cefbe51bc2c3', SUITE, sys.argv[1:]))
