"""Language models of the learner's own parts: assembled, trained, asked for text, looked into.

`parts` says what each kind of model is made of: a tiny one that is there from the first day
(`first`), a GPT that is trained here (`model`, `training`) and a real one of the Llama kind
(`llama`). `worker` holds one of them in a worker of `grading`, with the learner's code beside it;
`calls` and `trial` name a part that cannot be used, and `broken` makes parts with a named mistake.
`process` starts such a worker, and `questions` are what it is asked. Who asks for a model, and
where it is kept, is left to `study`.
"""
