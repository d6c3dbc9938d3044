"""Concat alone: `python Concat_654fedc1c540.py [--threads N] [--json]`.

Benchmark 654fedc1c54061a0ccded04280a2da2a878147e396739e6f0826b3985aa65c9a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('654fedc1c54061a0ccded04280a2da2a878147e396739e6f0826b3985aa65c9a', SUITE, sys.argv[1:]))
