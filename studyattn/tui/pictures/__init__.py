"""Pictures with all their pixels, in terminals that draw them: kitty's protocol, and sixel.

`canvas` says what is known of the terminal, `question` asks it, `driver` lets the question through
Textual, `choice` decides, and `kitty` and `sixel` write what each kind of terminal draws.
"""
