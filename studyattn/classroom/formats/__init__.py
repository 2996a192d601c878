"""The files that the results of a class are written to, a module each. Pure: text from results."""
