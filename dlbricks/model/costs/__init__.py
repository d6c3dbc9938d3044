"""What layers cost, from their shapes alone: operations, bytes, features for estimates."""
