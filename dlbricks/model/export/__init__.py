"""Exports PyTorch modules and Hugging Face configurations as networks without weights, and variants of decoders."""
