"""Decoders of language models: times of prompts and answers."""
