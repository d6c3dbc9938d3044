"""Measure every benchmark of this suite: `python run.py -o result.json`, `python run.py --help`.

Needs Python, numpy and onnxruntime. Suite d0c2c38c44803e62ed7827689198b2db8f0e80566849907b76f8ac1f6f33bb5f,
made by dlbricks 0.1.0.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SUITE))

from harness.cli import main  # noqa: E402  (the harness lies beside this file)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SUITE))
