"""BatchNormalization alone: `python BatchNormalization_c44a891df1b2.py [--threads N] [--json]`.

Benchmark c44a891df1b2ddb32dceb743f5c071d0a2e6f24288ca277640d1f6a69def9a1e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c44a891df1b2ddb32dceb743f5c071d0a2e6f24288ca277640d1f6a69def9a1e', SUITE, sys.argv[1:]))
