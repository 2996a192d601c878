"""Diagnosis: which named mistakes explain a submission, and the smallest input that shows it."""
