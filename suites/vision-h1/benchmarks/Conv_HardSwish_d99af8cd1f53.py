"""Conv_HardSwish alone: `python Conv_HardSwish_d99af8cd1f53.py [--threads N] [--json]`.

Benchmark d99af8cd1f53377c9b096ced6aaf632ab345b21452cc2491107300c663641ff8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d99af8cd1f53377c9b096ced6aaf632ab345b21452cc2491107300c663641ff8', SUITE, sys.argv[1:]))
