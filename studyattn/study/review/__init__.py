"""Reviewing: the queue of a day, a session, recording answers, what a card shows."""
