"""ReduceMean alone: `python ReduceMean_f696c87cc807.py [--threads N] [--json]`.

Benchmark f696c87cc80705cd6ed23d26828c767f6a66177fe8c5039675f5c722e8a21a86,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f696c87cc80705cd6ed23d26828c767f6a66177fe8c5039675f5c722e8a21a86', SUITE, sys.argv[1:]))
