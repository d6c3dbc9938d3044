"""Passes of onnx-graphsurgeon over a network before it is read; beside the API nothing else knows that library."""
