"""Sub alone: `python Sub_9f66f26213a2.py [--threads N] [--json]`.

Benchmark 9f66f26213a2a2100be20a884c53f198bce03b510eaa58fbb875ab5dbc41e08c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9f66f26213a2a2100be20a884c53f198bce03b510eaa58fbb875ab5dbc41e08c', SUITE, sys.argv[1:]))
