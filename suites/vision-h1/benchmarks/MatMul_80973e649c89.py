"""MatMul alone: `python MatMul_80973e649c89.py [--threads N] [--json]`.

Benchmark 80973e649c89cb8618c65a1e3fb833124f951ebdbdccc2b3050bec373a1ef07f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80973e649c89cb8618c65a1e3fb833124f951ebdbdccc2b3050bec373a1ef07f', SUITE, sys.argv[1:]))
