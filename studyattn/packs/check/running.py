"""x"""


def check(pack):
    return iter(())
