"""QuantizeLinear alone: `python QuantizeLinear_f45f93181b59.py [--threads N] [--json]`.

Benchmark f45f93181b5985e13755154b9b4eee05a8667c895b009809f4eed99f443b4260,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f45f93181b5985e13755154b9b4eee05a8667c895b009809f4eed99f443b4260', SUITE, sys.argv[1:]))
