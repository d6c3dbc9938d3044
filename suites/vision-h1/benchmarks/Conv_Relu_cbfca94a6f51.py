"""Conv_Relu alone: `python Conv_Relu_cbfca94a6f51.py [--threads N] [--json]`.

Benchmark cbfca94a6f5105e96519771ca292b023f24ae84a3575c6974e753cf062924cc2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cbfca94a6f5105e96519771ca292b023f24ae84a3575c6974e753cf062924cc2', SUITE, sys.argv[1:]))
