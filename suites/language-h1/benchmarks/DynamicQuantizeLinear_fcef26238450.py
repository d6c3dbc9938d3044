"""DynamicQuantizeLinear alone: `python DynamicQuantizeLinear_fcef26238450.py [--threads N] [--json]`.

Benchmark fcef26238450e7558f9568c934842c9db39f8e174872e7751c7ad7f2e8db9093,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fcef26238450e7558f9568c934842c9db39f8e174872e7751c7ad7f2e8db9093', SUITE, sys.argv[1:]))
