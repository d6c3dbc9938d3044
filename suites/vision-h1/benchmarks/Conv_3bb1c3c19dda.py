"""Conv alone: `python Conv_3bb1c3c19dda.py [--threads N] [--json]`.

Benchmark 3bb1c3c19dda524fd0e9aa988e518f585f0d8baf9924a8439452d6e3ec15bcd8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3bb1c3c19dda524fd0e9aa988e518f585f0d8baf9924a8439452d6e3ec15bcd8', SUITE, sys.argv[1:]))
