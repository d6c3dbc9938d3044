"""Conv_HardSwish alone: `python Conv_HardSwish_610a508da78e.py [--threads N] [--json]`.

Benchmark 610a508da78e8c13142879e7f694586f377ee1f2778004cabe6cf7d6a9b68487,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('610a508da78e8c13142879e7f694586f377ee1f2778004cabe6cf7d6a9b68487', SUITE, sys.argv[1:]))
