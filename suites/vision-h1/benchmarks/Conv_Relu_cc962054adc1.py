"""Conv_Relu alone: `python Conv_Relu_cc962054adc1.py [--threads N] [--json]`.

Benchmark cc962054adc1703cc049d7009149cfda2c823425a4edb1b6a609898b14bd6dfa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc962054adc1703cc049d7009149cfda2c823425a4edb1b6a609898b14bd6dfa', SUITE, sys.argv[1:]))
