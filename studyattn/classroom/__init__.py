"""A class of students: their hand-ins read, graded many at once, counted and written out.

`hand_ins` finds the file of each student for each drill, `marking` has them graded and can go on
after an interruption, `results` is what came of each, `summary` what came of the class, `similar`
lists what a teacher may want to look at, and `formats` writes files. What a submission is worth is
decided in `grading`; here is only whose it is.
"""
