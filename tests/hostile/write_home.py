# verdict: error
"""Writes to the home directory of the user."""

import os
import pwd


def attention(q, k, v):
    home = pwd.getpwuid(os.getuid()).pw_dir
    with open(os.path.join(home, "studyattn-hostile"), "w") as file:
        file.write("was here")
