"""A real language model of the Llama kind, whose attention is the learner's.

`gguf_file` reads a model's file and `kept` keeps it in the cache directory, as weights that are
mapped into memory. `forward` assembles the model from parts, `heads` looks into it, and `running`
is what its worker holds.
"""
