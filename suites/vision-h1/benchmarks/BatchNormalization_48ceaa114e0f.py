"""BatchNormalization alone: `python BatchNormalization_48ceaa114e0f.py [--threads N] [--json]`.

Benchmark 48ceaa114e0fc3e5ea26c9e12af856d9c59885b83c924794a57b6dd231320ae3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('48ceaa114e0fc3e5ea26c9e12af856d9c59885b83c924794a57b6dd231320ae3', SUITE, sys.argv[1:]))
