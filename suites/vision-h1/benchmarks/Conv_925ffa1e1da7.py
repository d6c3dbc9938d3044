"""Conv alone: `python Conv_925ffa1e1da7.py [--threads N] [--json]`.

Benchmark 925ffa1e1da7c59b8dd3ae959d363b4873557c9f30067d683628a7a417d6d9bf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('925ffa1e1da7c59b8dd3ae959d363b4873557c9f30067d683628a7a417d6d9bf', SUITE, sys.argv[1:]))
