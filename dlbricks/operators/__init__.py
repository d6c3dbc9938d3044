"""The table of operators, and costs, roles of operands and synthetic values from it."""
