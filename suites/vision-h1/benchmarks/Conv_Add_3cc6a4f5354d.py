"""Conv_Add alone: `python Conv_Add_3cc6a4f5354d.py [--threads N] [--json]`.

Benchmark 3cc6a4f5354dbdd32077b63cab9f024ee70d6f3b46dec9562f26f0d2a2fd2238,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3cc6a4f5354dbdd32077b63cab9f024ee70d6f3b46dec9562f26f0d2a2fd2238', SUITE, sys.argv[1:]))
