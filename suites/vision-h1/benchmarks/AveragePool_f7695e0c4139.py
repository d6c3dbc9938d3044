"""AveragePool alone: `python AveragePool_f7695e0c4139.py [--threads N] [--json]`.

Benchmark f7695e0c4139ab92162a25603048a0d6a7af78ac419550207775dc14107a51df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f7695e0c4139ab92162a25603048a0d6a7af78ac419550207775dc14107a51df', SUITE, sys.argv[1:]))
