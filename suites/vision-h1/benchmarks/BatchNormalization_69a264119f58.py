"""BatchNormalization alone: `python BatchNormalization_69a264119f58.py [--threads N] [--json]`.

Benchmark 69a264119f58881aa6ed9a39cca53be7b3460435b1cb89644b233b14e5e1818e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('69a264119f58881aa6ed9a39cca53be7b3460435b1cb89644b233b14e5e1818e', SUITE, sys.argv[1:]))
