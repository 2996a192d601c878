"""The learning note as one web page, for people who will never open a terminal.

    renderer    Markdown → the page's HTML: mathematics as MathML, code highlighted
    sections    ideas, questions, drills, notes, sources
    writer      the whole page, with its style sheet `page.css`

The page is one file that loads nothing and runs nothing: no script, no request, and a policy in its
head that forbids both. What a card or a note says is text in it, whatever it says. The page is also
well-formed XML, and the same data gives the same bytes.
"""
