"""The terminal app, on Textual: screens, dialogs, widgets, and the app that puts them together.

It holds no rule of studying: what is due, what a rating gives and what a document contains are
asked of `study` and `exchange`, in one worker thread (`database_worker`). Start it with
`tui.app.run`.
"""
