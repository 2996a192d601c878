"""Importing source documents: extract, match with what is there, plan, apply."""
