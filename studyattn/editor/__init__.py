"""Drills in any editor: a language server that tells what the grader says of a drill's file.

`language_server` keeps the open files and speaks the protocol; `diagnostics` and `hover` are pure.
"""
