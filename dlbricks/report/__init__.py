"""Presentation of finished objects as tables, JSON, plots and pages. Nothing is computed here."""
