def phi(x):
    return x.relu() + 1
