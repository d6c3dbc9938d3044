"""Tests of dlbricks.whatif.backtest."""
