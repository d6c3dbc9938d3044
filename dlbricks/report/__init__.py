"""Output of finished objects as tables, JSON, plots and pages; computes nothing."""
