"""New names and operators for some tasks of a graph."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.nouns import DependencyGraph


def with_names(graph: DependencyGraph, names: Mapping[int, str]) -> DependencyGraph:
    """Give some tasks other names."""
    numbers = {text: number for number, text in enumerate(graph.names)}
    column = np.array(graph.task_name)
    for row, text in names.items():
        column[row] = numbers.setdefault(text, len(numbers))
    return with_columns(replace(graph, names=tuple(numbers)), task_name=column)


def with_operators(graph: DependencyGraph, operators: Mapping[int, str]) -> DependencyGraph:
    """Give some tasks other operators."""
    numbers = {text: number for number, text in enumerate(graph.operators)}
    column = np.array(graph.operator)
    for row, text in operators.items():
        column[row] = numbers.setdefault(text, len(numbers))
    return with_columns(replace(graph, operators=tuple(numbers)), operator=column)
