"""Conv alone: `python Conv_7596844f87b8.py [--threads N] [--json]`.

Benchmark 7596844f87b89633ccac28749ca9c4c3c6dc9829287d6555268f363b6b761135,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7596844f87b89633ccac28749ca9c4c3c6dc9829287d6555268f363b6b761135', SUITE, sys.argv[1:]))
