"""Tests of benchmarks/backtest and of the errors that it writes."""
