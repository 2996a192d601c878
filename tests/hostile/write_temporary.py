# verdict: error
"""Writes to the folder for temporary files, beside its own."""

def attention(q, k, v):
    with open("/tmp/studyattn-hostile", "w") as file:
        file.write("was here")
