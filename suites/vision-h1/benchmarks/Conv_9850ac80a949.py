"""Conv alone: `python Conv_9850ac80a949.py [--threads N] [--json]`.

Benchmark 9850ac80a949c903142a86f75c5636eefa00ef1438568ab555ebb28ef5a93bc5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9850ac80a949c903142a86f75c5636eefa00ef1438568ab555ebb28ef5a93bc5', SUITE, sys.argv[1:]))
