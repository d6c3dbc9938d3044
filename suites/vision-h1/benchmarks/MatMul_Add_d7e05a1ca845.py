"""MatMul_Add alone: `python MatMul_Add_d7e05a1ca845.py [--threads N] [--json]`.

Benchmark d7e05a1ca8455d1667baa10995a3a58755f0db913357c3095781496c2c2a7221,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7e05a1ca8455d1667baa10995a3a58755f0db913357c3095781496c2c2a7221', SUITE, sys.argv[1:]))
