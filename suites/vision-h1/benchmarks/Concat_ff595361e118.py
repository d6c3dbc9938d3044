"""Concat alone: `python Concat_ff595361e118.py [--threads N] [--json]`.

Benchmark ff595361e11818484c996439ed537eb4a01597e3dfa9e24cbae1feb1c04b76ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff595361e11818484c996439ed537eb4a01597e3dfa9e24cbae1feb1c04b76ed', SUITE, sys.argv[1:]))
