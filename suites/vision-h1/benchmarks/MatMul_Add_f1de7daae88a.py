"""MatMul_Add alone: `python MatMul_Add_f1de7daae88a.py [--threads N] [--json]`.

Benchmark f1de7daae88abbf5a6dc18998ae05c62f28fae8e91ec763e133f10e2b2623ccc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1de7daae88abbf5a6dc18998ae05c62f28fae8e91ec763e133f10e2b2623ccc', SUITE, sys.argv[1:]))
