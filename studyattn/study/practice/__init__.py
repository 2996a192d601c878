"""Practising drills: the session, the log of attempts, mistakes, the cost lab."""
