"""The table of operators, from which costs, roles of operands and synthetic values follow."""
