"""Broad phases: which of many bodies may touch, by the boxes that hold them, from step to step."""
