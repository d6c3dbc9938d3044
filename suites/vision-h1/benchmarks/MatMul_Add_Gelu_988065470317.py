"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_988065470317.py [--threads N] [--json]`.

Benchmark 988065470317b79ce1653014773377055bb780f5256157711937fffbe382952d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('988065470317b79ce1653014773377055bb780f5256157711937fffbe382952d', SUITE, sys.argv[1:]))
