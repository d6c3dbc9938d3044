"""Conv alone: `python Conv_d260e202fade.py [--threads N] [--json]`.

Benchmark d260e202fadef0a8cf652e34bc0053a52f293fedbe8d6887c4148d045feaedb7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d260e202fadef0a8cf652e34bc0053a52f293fedbe8d6887c4148d045feaedb7', SUITE, sys.argv[1:]))
