"""MatMul alone: `python MatMul_59fc35201581.py [--threads N] [--json]`.

Benchmark 59fc3520158129dd5308a04cd2f47bac78bbd86b0f16d7e50003fd6685d13a62,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59fc3520158129dd5308a04cd2f47bac78bbd86b0f16d7e50003fd6685d13a62', SUITE, sys.argv[1:]))
