"""Conv_Clip alone: `python Conv_Clip_4d30b45e6b41.py [--threads N] [--json]`.

Benchmark 4d30b45e6b41499030c5c95b314856478fc2bdb20f0c6a2e4abf59e958657d02,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d30b45e6b41499030c5c95b314856478fc2bdb20f0c6a2e4abf59e958657d02', SUITE, sys.argv[1:]))
