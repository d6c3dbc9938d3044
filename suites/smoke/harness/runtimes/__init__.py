"""Runtimes other than onnxruntime, and plugin execution providers; imported only when they are used."""
