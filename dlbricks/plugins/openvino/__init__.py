"""The target and the runtime ``openvino``."""
