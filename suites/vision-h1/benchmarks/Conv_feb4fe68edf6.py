"""Conv alone: `python Conv_feb4fe68edf6.py [--threads N] [--json]`.

Benchmark feb4fe68edf6b69f2030d038407d877c96e51df80f080be1bb7c063bdef23bfa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('feb4fe68edf6b69f2030d038407d877c96e51df80f080be1bb7c063bdef23bfa', SUITE, sys.argv[1:]))
