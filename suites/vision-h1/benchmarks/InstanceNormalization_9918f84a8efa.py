"""InstanceNormalization alone: `python InstanceNormalization_9918f84a8efa.py [--threads N] [--json]`.

Benchmark 9918f84a8efad0ce47521e7f36bf644d1acff7bbceeeaa00ae39710e94386d54,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9918f84a8efad0ce47521e7f36bf644d1acff7bbceeeaa00ae39710e94386d54', SUITE, sys.argv[1:]))
