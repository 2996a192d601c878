"""Language models of the learner's own parts: assembled, trained, asked for text.

`parts` is the table of what a model is made of. `model`, `training` and `worker` are torch, and run
in a worker of `grading` with the learner's code beside them; `broken` gives them an attention that
makes a named mistake. `process` starts such a worker and speaks with it: it never imports torch.
Who asks for a model, and where it is kept, is left to `study`.
"""
