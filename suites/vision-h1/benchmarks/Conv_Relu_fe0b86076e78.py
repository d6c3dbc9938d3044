"""Conv_Relu alone: `python Conv_Relu_fe0b86076e78.py [--threads N] [--json]`.

Benchmark fe0b86076e78336203f567e9ff7719be07cf0b294c6d0f7fbd9769076eab3922,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe0b86076e78336203f567e9ff7719be07cf0b294c6d0f7fbd9769076eab3922', SUITE, sys.argv[1:]))
