"""Reads ONNX files into models: graphs without weights, with fixed shapes."""
