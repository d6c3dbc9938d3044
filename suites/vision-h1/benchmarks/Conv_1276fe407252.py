"""Conv alone: `python Conv_1276fe407252.py [--threads N] [--json]`.

Benchmark 1276fe407252c8933c9e04a2efe9650d1bc2e50973c96c54e17618d2f92d3529,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1276fe407252c8933c9e04a2efe9650d1bc2e50973c96c54e17618d2f92d3529', SUITE, sys.argv[1:]))
