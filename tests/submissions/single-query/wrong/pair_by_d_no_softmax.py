# backend: numpy
# mistake: scale-by-d, softmax-missing
# style: numpy
def attend(q, k, v):
    return (k @ q / len(q)) @ v
