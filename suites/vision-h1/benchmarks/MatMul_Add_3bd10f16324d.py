"""MatMul_Add alone: `python MatMul_Add_3bd10f16324d.py [--threads N] [--json]`.

Benchmark 3bd10f16324d95b0644afe6600dc74509b690f2cb06c57cad72e2d8ae57bf0fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3bd10f16324d95b0644afe6600dc74509b690f2cb06c57cad72e2d8ae57bf0fb', SUITE, sys.argv[1:]))
