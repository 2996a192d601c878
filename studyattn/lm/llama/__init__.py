"""A real language model of the Llama kind, whose attention is the learner's.

`gguf_file` reads a model's file and `kept` keeps it in the cache directory, as weights that are
mapped into memory. `forward` assembles the model from parts (`parts` lists them) and `worker`
answers for it, in a worker of `grading` with the learner's code. `process` starts such a worker
and asks it; it never imports torch. Which model is used, and by whom, is left to `study`.
"""
