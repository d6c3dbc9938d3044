"""AveragePool alone: `python AveragePool_91fb1032a522.py [--threads N] [--json]`.

Benchmark 91fb1032a522d78bd7da3f07fa3edeadcae22cfb3cd3fa1663b4afb5dfc7af1d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91fb1032a522d78bd7da3f07fa3edeadcae22cfb3cd3fa1663b4afb5dfc7af1d', SUITE, sys.argv[1:]))
