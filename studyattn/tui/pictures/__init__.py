"""Pictures on cards: in half-blocks, and with all their pixels by kitty's protocol."""
