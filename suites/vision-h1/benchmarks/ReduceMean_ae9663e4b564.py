"""ReduceMean alone: `python ReduceMean_ae9663e4b564.py [--threads N] [--json]`.

Benchmark ae9663e4b564b924e794f8290b36fd5d1c2bcca16fd618d89e6cc17a09009ea5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae9663e4b564b924e794f8290b36fd5d1c2bcca16fd618d89e6cc17a09009ea5', SUITE, sys.argv[1:]))
