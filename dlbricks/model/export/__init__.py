"""From PyTorch modules and Hugging Face configurations to networks without weights."""
