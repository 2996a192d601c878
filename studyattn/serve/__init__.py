"""The app in a browser: a server of HTTP and websockets, and a process of the app for each session.

The page is textual-serve's terminal (`textual.js`: xterm.js and its protocol); the processes, who
may open them and how a page comes back to its own are here. What a session shows is the app's.
"""
