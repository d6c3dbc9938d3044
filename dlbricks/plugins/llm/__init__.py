"""Decoders of language models: their prompts and generated tokens, estimated from calls at a few lengths."""
