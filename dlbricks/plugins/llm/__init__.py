"""Decoders of language models: times of prompts and answers, estimated from calls at a few lengths."""
