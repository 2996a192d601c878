"""The mistakes that people make with attention, each with a name, an explanation and code.

A misconception exchanges steps of the reference (`studyattn.attention.steps`), so the mistaken
attention can be run: the grader compares a submission with it, and so can you. Where a mistake is
met in more than one form, it has more than one way.
"""
