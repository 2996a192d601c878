"""Pictures with all their pixels, in terminals that draw them: kitty's protocol, and sixel.

`canvas` says what is known of the terminal, `choice` has what is asked of it and decides, `driver`
lets the question through Textual, and `kitty` and `sixel` write what each kind of terminal draws.
"""
