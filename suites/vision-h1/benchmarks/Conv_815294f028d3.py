"""Conv alone: `python Conv_815294f028d3.py [--threads N] [--json]`.

Benchmark 815294f028d33688625362f72d9decc753fe80409f0dd3b9f72625ea64b7efb9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('815294f028d33688625362f72d9decc753fe80409f0dd3b9f72625ea64b7efb9', SUITE, sys.argv[1:]))
