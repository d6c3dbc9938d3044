"""Tests of passes of onnx-graphsurgeon."""
