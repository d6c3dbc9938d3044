"""Conv_Add_Relu alone: `python Conv_Add_Relu_dbe9eee496d9.py [--threads N] [--json]`.

Benchmark dbe9eee496d9ac45de0844f5f786bbfa157fd64505ba66ed77bcd72b8ca04dac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbe9eee496d9ac45de0844f5f786bbfa157fd64505ba66ed77bcd72b8ca04dac', SUITE, sys.argv[1:]))
