"""BatchNormalization alone: `python BatchNormalization_2734fc112d24.py [--threads N] [--json]`.

Benchmark 2734fc112d241c9f0f1ef76e60521410b29e94b80a673f0648110504b5df12c6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2734fc112d241c9f0f1ef76e60521410b29e94b80a673f0648110504b5df12c6', SUITE, sys.argv[1:]))
