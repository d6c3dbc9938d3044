"""The measuring code that is copied into every suite. It needs the standard library, numpy and onnxruntime only.

From release 1.32 on, onnxruntime sends telemetry and stores an identifier of the machine in the user's cache.
Importing this package turns that off, unless the user has set ``ORT_DISABLE_TELEMETRY``.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
