"""Measure every benchmark of this suite: `python run.py -o result.json`, `python run.py --help`.

Needs Python, numpy and onnxruntime. Suite d580f783a2e29527f9f3da6fde6901f302ac33970d83aeaf3d1cffde0db4b648,
made by dlbricks 0.1.0.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SUITE))

from harness.cli import main  # noqa: E402  (the harness lies beside this file)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SUITE))
