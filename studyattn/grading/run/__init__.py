"""Running submissions: warm fork server, supervisor and worker processes, and the frames between
them.
"""
