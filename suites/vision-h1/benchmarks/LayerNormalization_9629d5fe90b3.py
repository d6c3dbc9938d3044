"""LayerNormalization alone: `python LayerNormalization_9629d5fe90b3.py [--threads N] [--json]`.

Benchmark 9629d5fe90b3829de90450242e8d9e362381e7eacb870ec7e751af666699cb58,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9629d5fe90b3829de90450242e8d9e362381e7eacb870ec7e751af666699cb58', SUITE, sys.argv[1:]))
