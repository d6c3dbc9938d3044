"""Measure every benchmark of this suite: `python run.py -o result.json`, `python run.py --help`.

Needs Python, numpy and onnxruntime. Suite 7782e6a3b839fea28b49612f13d0d9ef18fd55edd012071e2808f3a58a2e2aef,
made by dlbricks 0.1.0.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SUITE))

from harness.cli import main  # noqa: E402  (the harness lies beside this file)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SUITE))
