"""MaxPool alone: `python MaxPool_65914d83f993.py [--threads N] [--json]`.

Benchmark 65914d83f9932d1dced489ce5a08f7bbda604c41e49d494cf7e88fc5c7b6d133,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65914d83f9932d1dced489ce5a08f7bbda604c41e49d494cf7e88fc5c7b6d133', SUITE, sys.argv[1:]))
