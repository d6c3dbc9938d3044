"""Gather alone: `python Gather_fe09bee2b483.py [--threads N] [--json]`.

Benchmark fe09bee2b483aa90f666c89b9be2eefc97d53d2a2f15aed1c460d53b3f5fb680,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe09bee2b483aa90f666c89b9be2eefc97d53d2a2f15aed1c460d53b3f5fb680', SUITE, sys.argv[1:]))
