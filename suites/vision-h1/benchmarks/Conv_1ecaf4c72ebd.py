"""Conv alone: `python Conv_1ecaf4c72ebd.py [--threads N] [--json]`.

Benchmark 1ecaf4c72ebde3edabdbb9324eed068cc9a9b0b0397c840fe1a5c881feb0ce50,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ecaf4c72ebde3edabdbb9324eed068cc9a9b0b0397c840fe1a5c881feb0ce50', SUITE, sys.argv[1:]))
