"""Gather alone: `python Gather_7684ba56fac4.py [--threads N] [--json]`.

Benchmark 7684ba56fac42b13e0170918b3df5bac6fc986df85a77df5caa58cdd467ef2fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7684ba56fac42b13e0170918b3df5bac6fc986df85a77df5caa58cdd467ef2fe', SUITE, sys.argv[1:]))
