"""Conv_HardSwish alone: `python Conv_HardSwish_b6e8b935576d.py [--threads N] [--json]`.

Benchmark b6e8b935576ddc5271e1681a2bca0bb09e38d5335a542bb05514f2500924b372,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6e8b935576ddc5271e1681a2bca0bb09e38d5335a542bb05514f2500924b372', SUITE, sys.argv[1:]))
