"""Conv_Relu alone: `python Conv_Relu_8e0f8fc50cf1.py [--threads N] [--json]`.

Benchmark 8e0f8fc50cf15e3f7ad2cb21e0afca3d8f9b0115e991798ac553223535ea9c08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e0f8fc50cf15e3f7ad2cb21e0afca3d8f9b0115e991798ac553223535ea9c08', SUITE, sys.argv[1:]))
