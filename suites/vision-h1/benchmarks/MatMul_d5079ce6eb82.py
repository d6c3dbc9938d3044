"""MatMul alone: `python MatMul_d5079ce6eb82.py [--threads N] [--json]`.

Benchmark d5079ce6eb8249510414c3b7e34d744fa0cbcdd9efeb1f5ea715ab35f043e7bb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5079ce6eb8249510414c3b7e34d744fa0cbcdd9efeb1f5ea715ab35f043e7bb', SUITE, sys.argv[1:]))
