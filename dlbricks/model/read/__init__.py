"""Reads ONNX files into a Model: the graph without its weights, dimensions bound, layers in canonical form."""
