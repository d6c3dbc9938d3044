"""Add alone: `python Add_5184740932c4.py [--threads N] [--json]`.

Benchmark 5184740932c488f9faa4a9059909065706eab05e0b84ae4c5ac283138ba07677,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5184740932c488f9faa4a9059909065706eab05e0b84ae4c5ac283138ba07677', SUITE, sys.argv[1:]))
