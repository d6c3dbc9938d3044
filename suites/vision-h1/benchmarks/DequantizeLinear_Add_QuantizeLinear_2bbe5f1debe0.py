"""DequantizeLinear_Add_QuantizeLinear alone: `python DequantizeLinear_Add_QuantizeLinear_2bbe5f1debe0.py [--threads N] [--json]`.

Benchmark 2bbe5f1debe09b45de2787dad573e3afd74dec7db7e657afc30133c7e10edb6e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2bbe5f1debe09b45de2787dad573e3afd74dec7db7e657afc30133c7e10edb6e', SUITE, sys.argv[1:]))
