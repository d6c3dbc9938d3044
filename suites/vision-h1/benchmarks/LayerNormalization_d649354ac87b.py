"""LayerNormalization alone: `python LayerNormalization_d649354ac87b.py [--threads N] [--json]`.

Benchmark d649354ac87bc7fdfddb6d8ebc642e6d72f4d1b3c739a3bbc6b965b78d28dffe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d649354ac87bc7fdfddb6d8ebc642e6d72f4d1b3c739a3bbc6b965b78d28dffe', SUITE, sys.argv[1:]))
