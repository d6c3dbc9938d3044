"""Conv alone: `python Conv_cd1cc065fb79.py [--threads N] [--json]`.

Benchmark cd1cc065fb79dc93a179d08add51846ff5881c5a456b5c329ae75b6b0c141ede,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd1cc065fb79dc93a179d08add51846ff5881c5a456b5c329ae75b6b0c141ede', SUITE, sys.argv[1:]))
