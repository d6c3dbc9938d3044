"""Measure every benchmark of this suite: `python run.py -o result.json`, `python run.py --help`.

Needs Python, numpy and onnxruntime. Suite 32eae3a5d6e961956f0632feccba5f842e65ef821a47f771c8b5bd588a5146c3,
made by dlbricks 0.1.0.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SUITE))

from harness.cli import main  # noqa: E402  (the harness lies beside this file)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SUITE))
