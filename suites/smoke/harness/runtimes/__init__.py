"""Other runtimes, and providers that are libraries of their own; not imported for what onnxruntime has built in."""
