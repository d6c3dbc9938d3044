"""Conv_Relu alone: `python Conv_Relu_7ff758819629.py [--threads N] [--json]`.

Benchmark 7ff7588196295030c9f8a55ba5735156cc13874633b7c7aaa994f3915d9f901f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7ff7588196295030c9f8a55ba5735156cc13874633b7c7aaa994f3915d9f901f', SUITE, sys.argv[1:]))
