"""Conv alone: `python Conv_e3981a2e488c.py [--threads N] [--json]`.

Benchmark e3981a2e488c97f2109eb4b8a37d3af96b506ac8225f1976df26e4a8f425bdbb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3981a2e488c97f2109eb4b8a37d3af96b506ac8225f1976df26e4a8f425bdbb', SUITE, sys.argv[1:]))
