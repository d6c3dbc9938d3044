"""The measuring code, which every suite contains. It needs only the standard library, numpy and a runtime.

From release 1.32 on, onnxruntime sends telemetry and stores an identifier of the machine in the user's cache.
Importing this package disables both, unless the user has set ``ORT_DISABLE_TELEMETRY``.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
