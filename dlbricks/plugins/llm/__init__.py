"""Decoders of language models: the time of prompts and answers, estimated from calls at a few lengths."""
