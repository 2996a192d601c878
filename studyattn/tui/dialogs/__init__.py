"""Dialogs: short questions and pages above a screen; each returns what the learner answered."""
