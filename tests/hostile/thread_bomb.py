# verdict: timeout | error | memory
"""Starts threads without end."""

import threading
import time


def attention(q, k, v):
    while True:
        threading.Thread(target=time.sleep, args=(3600,)).start()
