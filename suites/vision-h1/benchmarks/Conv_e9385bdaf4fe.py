"""Conv alone: `python Conv_e9385bdaf4fe.py [--threads N] [--json]`.

Benchmark e9385bdaf4fe6f76155f64aa59022b291df225deb3678b5b1f4437078a03d424,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e9385bdaf4fe6f76155f64aa59022b291df225deb3678b5b1f4437078a03d424', SUITE, sys.argv[1:]))
