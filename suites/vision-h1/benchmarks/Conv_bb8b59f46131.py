"""Conv alone: `python Conv_bb8b59f46131.py [--threads N] [--json]`.

Benchmark bb8b59f4613199bd364fdc59c40baec3952253b298afb7add36ec70c6c4eeea0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb8b59f4613199bd364fdc59c40baec3952253b298afb7add36ec70c6c4eeea0', SUITE, sys.argv[1:]))
