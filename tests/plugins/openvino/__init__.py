"""Tests of ``dlbricks.plugins.openvino``."""
