"""Add alone: `python Add_84fe669afd0b.py [--threads N] [--json]`.

Benchmark 84fe669afd0b21a637fb5c8d571922a8cdf0183f637a25e55fc08662cd4c1a76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('84fe669afd0b21a637fb5c8d571922a8cdf0183f637a25e55fc08662cd4c1a76', SUITE, sys.argv[1:]))
