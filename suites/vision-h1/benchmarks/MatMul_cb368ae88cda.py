"""MatMul alone: `python MatMul_cb368ae88cda.py [--threads N] [--json]`.

Benchmark cb368ae88cda78520b53eb1ebf9aec2dad478f1eb285d6888be0c326e922153f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb368ae88cda78520b53eb1ebf9aec2dad478f1eb285d6888be0c326e922153f', SUITE, sys.argv[1:]))
