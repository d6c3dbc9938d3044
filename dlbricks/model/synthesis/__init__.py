"""Synthetic weights and inputs for networks whose real ones are not available."""
