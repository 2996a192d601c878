# verdict: error
"""Opens a connection to the world."""

import socket


def attention(q, k, v):
    socket.create_connection(("1.1.1.1", 53), timeout=5)
