"""Conv alone: `python Conv_052e6a0bcb1d.py [--threads N] [--json]`.

Benchmark 052e6a0bcb1d8472193879d332465925cf07b2fe1522ebed98e1ca6022a041e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('052e6a0bcb1d8472193879d332465925cf07b2fe1522ebed98e1ca6022a041e6', SUITE, sys.argv[1:]))
