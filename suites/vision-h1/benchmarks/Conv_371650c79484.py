"""Conv alone: `python Conv_371650c79484.py [--threads N] [--json]`.

Benchmark 371650c79484f9cb87a66eef1f7c16849f5275498ec4cf5a8d5dc82c6a633774,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('371650c79484f9cb87a66eef1f7c16849f5275498ec4cf5a8d5dc82c6a633774', SUITE, sys.argv[1:]))
