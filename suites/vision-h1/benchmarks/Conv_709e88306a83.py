"""Conv alone: `python Conv_709e88306a83.py [--threads N] [--json]`.

Benchmark 709e88306a8309b4007525e01af507e1a3cce7790542aec9899a34122b5db252,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('709e88306a8309b4007525e01af507e1a3cce7790542aec9899a34122b5db252', SUITE, sys.argv[1:]))
