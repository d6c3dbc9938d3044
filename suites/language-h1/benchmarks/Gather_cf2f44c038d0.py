"""Gather alone: `python Gather_cf2f44c038d0.py [--threads N] [--json]`.

Benchmark cf2f44c038d02edabfc4d9251833764344ee46bc752f31031b107fecc1c13c57,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cf2f44c038d02edabfc4d9251833764344ee46bc752f31031b107fecc1c13c57', SUITE, sys.argv[1:]))
