"""The rules that a submission is checked by: one small pure function each, one module per hundred of ids."""
