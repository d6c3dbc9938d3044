"""Conv_Relu alone: `python Conv_Relu_baf890b26539.py [--threads N] [--json]`.

Benchmark baf890b26539ae102b08290dac6a2a76f076882c747fa0c25fb19341833eaf44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('baf890b26539ae102b08290dac6a2a76f076882c747fa0c25fb19341833eaf44', SUITE, sys.argv[1:]))
