"""ReduceMean alone: `python ReduceMean_cdff93a1ac46.py [--threads N] [--json]`.

Benchmark cdff93a1ac46e51fce92012b6bf371d54ef4a30ff21a22ec32e2eb3f6573b339,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cdff93a1ac46e51fce92012b6bf371d54ef4a30ff21a22ec32e2eb3f6573b339', SUITE, sys.argv[1:]))
