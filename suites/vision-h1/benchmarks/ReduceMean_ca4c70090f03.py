"""ReduceMean alone: `python ReduceMean_ca4c70090f03.py [--threads N] [--json]`.

Benchmark ca4c70090f03e94aebaeb93ce19bd24fedf3c705441f6408fcea0a6749c4b615,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca4c70090f03e94aebaeb93ce19bd24fedf3c705441f6408fcea0a6749c4b615', SUITE, sys.argv[1:]))
