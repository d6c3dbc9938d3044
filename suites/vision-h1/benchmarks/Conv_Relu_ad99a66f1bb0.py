"""Conv_Relu alone: `python Conv_Relu_ad99a66f1bb0.py [--threads N] [--json]`.

Benchmark ad99a66f1bb0f938de005bb8569d12c3a573b64187711988cf92facbf40d8afa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad99a66f1bb0f938de005bb8569d12c3a573b64187711988cf92facbf40d8afa', SUITE, sys.argv[1:]))
