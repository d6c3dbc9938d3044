"""Conv alone: `python Conv_850f2a6e3540.py [--threads N] [--json]`.

Benchmark 850f2a6e35406f94f62fc329e77b133ea64a362dbcdeaa49f01b150678389e0c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('850f2a6e35406f94f62fc329e77b133ea64a362dbcdeaa49f01b150678389e0c', SUITE, sys.argv[1:]))
