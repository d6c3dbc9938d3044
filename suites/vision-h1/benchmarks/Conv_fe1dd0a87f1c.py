"""Conv alone: `python Conv_fe1dd0a87f1c.py [--threads N] [--json]`.

Benchmark fe1dd0a87f1c69ab9fb0bb141871eaae7e84960fce52b12d8f82c7c82213d7c8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe1dd0a87f1c69ab9fb0bb141871eaae7e84960fce52b12d8f82c7c82213d7c8', SUITE, sys.argv[1:]))
