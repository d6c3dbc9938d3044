"""Measure every benchmark of this suite: `python run.py -o result.json`, `python run.py --help`.

Needs Python, numpy and onnxruntime. Suite 94d77935ed97c7b70ce63acacba442cbacb98c5b5f3e889ba7bf9148ddae8ebc,
made by dlbricks 0.1.0.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SUITE))

from harness.cli import main  # noqa: E402  (the harness lies beside this file)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SUITE))
