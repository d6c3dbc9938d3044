"""Tests of transforms of training steps."""
