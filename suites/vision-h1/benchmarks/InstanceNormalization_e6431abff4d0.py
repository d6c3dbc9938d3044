"""InstanceNormalization alone: `python InstanceNormalization_e6431abff4d0.py [--threads N] [--json]`.

Benchmark e6431abff4d07558ce25aedb30e110bbc804be4f5c7610905a73e38781bc9f36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e6431abff4d07558ce25aedb30e110bbc804be4f5c7610905a73e38781bc9f36', SUITE, sys.argv[1:]))
