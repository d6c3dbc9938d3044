"""Div alone: `python Div_740eca494384.py [--threads N] [--json]`.

Benchmark 740eca4943842de69ccfaac3594d28ce2fe139807d8787dfea7b54fd5fb144b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('740eca4943842de69ccfaac3594d28ce2fe139807d8787dfea7b54fd5fb144b7', SUITE, sys.argv[1:]))
