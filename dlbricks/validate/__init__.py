"""Estimates compared with end-to-end measurements: made in one run, kept in archives, composed again, summed up."""
