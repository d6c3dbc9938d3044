"""Transpose alone: `python Transpose_9ea47fefb612.py [--threads N] [--json]`.

Benchmark 9ea47fefb612524eac99a3983aebcb8536502f0ec771d196081dd45ec27a797a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ea47fefb612524eac99a3983aebcb8536502f0ec771d196081dd45ec27a797a', SUITE, sys.argv[1:]))
