"""Conv_HardSwish alone: `python Conv_HardSwish_225ae01a18c5.py [--threads N] [--json]`.

Benchmark 225ae01a18c5c701454230eaef177399c372588ea09a4dabdfde1242a031f7b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('225ae01a18c5c701454230eaef177399c372588ea09a4dabdfde1242a031f7b9', SUITE, sys.argv[1:]))
