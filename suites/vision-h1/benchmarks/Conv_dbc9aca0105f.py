"""Conv alone: `python Conv_dbc9aca0105f.py [--threads N] [--json]`.

Benchmark dbc9aca0105f861850175614ec5fa7fb295436b6d0c20cb2cda711fb126f35d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbc9aca0105f861850175614ec5fa7fb295436b6d0c20cb2cda711fb126f35d1', SUITE, sys.argv[1:]))
