"""The measuring code that every suite carries: standard library, numpy and onnxruntime, nothing else of dlbricks."""
