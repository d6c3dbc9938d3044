"""Conv alone: `python Conv_6d51e3739d8d.py [--threads N] [--json]`.

Benchmark 6d51e3739d8d93440545cff81493e32a4a5909e141a42ee78724cc91fe992e87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d51e3739d8d93440545cff81493e32a4a5909e141a42ee78724cc91fe992e87', SUITE, sys.argv[1:]))
