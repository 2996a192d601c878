"""The terminal app, on Textual: screens, widgets, and the one place where they are put together.

It holds no rule of studying: what is due, what a rating gives and what a document contains are
asked of `study` and `exchange`, in one worker thread (`desk`). Start it with `tui.app.run`.
"""
