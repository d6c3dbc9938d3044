"""Conv alone: `python Conv_ed98ed77924d.py [--threads N] [--json]`.

Benchmark ed98ed77924dd87b195fa23d8b346d66904e804b226a71393549eed4e664d23c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed98ed77924dd87b195fa23d8b346d66904e804b226a71393549eed4e664d23c', SUITE, sys.argv[1:]))
