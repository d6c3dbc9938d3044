"""Conv alone: `python Conv_580ef17c1e62.py [--threads N] [--json]`.

Benchmark 580ef17c1e62290ca57bb7e033be907ad2000f50cc85c0debc74a375d68a342f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('580ef17c1e62290ca57bb7e033be907ad2000f50cc85c0debc74a375d68a342f', SUITE, sys.argv[1:]))
