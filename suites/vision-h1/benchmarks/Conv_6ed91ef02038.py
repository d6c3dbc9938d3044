"""Conv alone: `python Conv_6ed91ef02038.py [--threads N] [--json]`.

Benchmark 6ed91ef020380b5aa2b259af2fbea376387f22afa326f4817d6adfedaada8d4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ed91ef020380b5aa2b259af2fbea376387f22afa326f4817d6adfedaada8d4c', SUITE, sys.argv[1:]))
