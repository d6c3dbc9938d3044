"""Conv alone: `python Conv_ae1ef558902d.py [--threads N] [--json]`.

Benchmark ae1ef558902d637ecdf7e59cd6e1c47b574ec85583523e8e8f4b7fec23356493,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae1ef558902d637ecdf7e59cd6e1c47b574ec85583523e8e8f4b7fec23356493', SUITE, sys.argv[1:]))
