"""The one place where the core meets ``dlbricks.llm``: options of decoders, and what verbs do where they are given.

No other module outside of ``dlbricks.llm`` imports it (``tests/test_layering.py``).
"""

from dlbricks.llm.commands import cut_at, questions_of, show_answer, validate_answer, without_measured
from dlbricks.llm.options import (
    AnswerChoice,
    LoopChoice,
    answer_options,
    loop_options,
    model_arguments,
    variant_options,
)
from dlbricks.llm.prompts import dims_of, lengths_options, tell_lengths

__all__ = [
    "AnswerChoice",
    "LoopChoice",
    "answer_options",
    "cut_at",
    "dims_of",
    "lengths_options",
    "loop_options",
    "model_arguments",
    "questions_of",
    "show_answer",
    "tell_lengths",
    "validate_answer",
    "variant_options",
    "without_measured",
]
