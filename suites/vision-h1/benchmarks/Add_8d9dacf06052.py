"""Add alone: `python Add_8d9dacf06052.py [--threads N] [--json]`.

Benchmark 8d9dacf06052a599ab1d6e8ee1bd241be56770bf29936d1fa1187b627401c81f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d9dacf06052a599ab1d6e8ee1bd241be56770bf29936d1fa1187b627401c81f', SUITE, sys.argv[1:]))
