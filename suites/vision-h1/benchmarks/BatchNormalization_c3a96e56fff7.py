"""BatchNormalization alone: `python BatchNormalization_c3a96e56fff7.py [--threads N] [--json]`.

Benchmark c3a96e56fff73dae7f88d1e531fe112fac77efd21acce27ee1cafc96984113dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c3a96e56fff73dae7f88d1e531fe112fac77efd21acce27ee1cafc96984113dc', SUITE, sys.argv[1:]))
