"""Conv_Clip alone: `python Conv_Clip_46c7dc911b00.py [--threads N] [--json]`.

Benchmark 46c7dc911b00b6c5e6727a5bf6dd8c3c433a857d4dc9472bf2b00cfcc27ce028,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46c7dc911b00b6c5e6727a5bf6dd8c3c433a857d4dc9472bf2b00cfcc27ce028', SUITE, sys.argv[1:]))
