"""studyattn: learn attention in transformers until you can explain it and write it.

Importing the package costs nothing: every room is imported by the one that needs it, when it
needs it. The version is the only name here, beside what Jupyter calls.
"""

__version__ = "0.2.1"


def load_ipython_extension(shell: object) -> None:
    """Add `%%drill`, `%due` and `%review` to a notebook: IPython calls this for `%load_ext`."""
    from importlib import import_module  # by name, for every room may import this package

    import_module("studyattn.editor.notebook").Magics(shell).register()
