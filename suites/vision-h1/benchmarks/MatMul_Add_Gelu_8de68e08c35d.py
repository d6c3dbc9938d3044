"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_8de68e08c35d.py [--threads N] [--json]`.

Benchmark 8de68e08c35da886888bb972acd5b67091ca6ae222cc962ec225030bf8561f47,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8de68e08c35da886888bb972acd5b67091ca6ae222cc962ec225030bf8561f47', SUITE, sys.argv[1:]))
