"""The one place where the core meets ``dlbricks.llm``; no other module outside of it imports it."""

from dlbricks.llm.commands import llm

__all__ = ["llm"]
