"""Resize alone: `python Resize_aa10c4fa9c14.py [--threads N] [--json]`.

Benchmark aa10c4fa9c146353f264fe5ef39138d300b76742aa5588be47cdfdc833c04870,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa10c4fa9c146353f264fe5ef39138d300b76742aa5588be47cdfdc833c04870', SUITE, sys.argv[1:]))
