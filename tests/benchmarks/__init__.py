"""Tests of the scripts in ``benchmarks/`` that published figures rest on."""
