"""BatchNormalization alone: `python BatchNormalization_20d2c3902738.py [--threads N] [--json]`.

Benchmark 20d2c3902738405091d0d319a948415a754a96b90349d19b223ff9bc2117c7ec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('20d2c3902738405091d0d319a948415a754a96b90349d19b223ff9bc2117c7ec', SUITE, sys.argv[1:]))
