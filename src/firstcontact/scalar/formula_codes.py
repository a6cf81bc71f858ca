"""What a formula is made of: one number for each operation."""

from enum import IntEnum


class Operation(IntEnum):
    """Operations on one or two earlier results; a constant, and time, on none."""

    TIME = 0
    CONSTANT = 1
    ADD = 2
    SUBTRACT = 3
    MULTIPLY = 4
    RECIPROCAL = 5
    SQUARE = 6
    SQRT = 7
    SIN = 8
    COS = 9
    EXP = 10
    LOG = 11
    ARCTAN = 12
    ARCSIN = 13
    ABS = 14
    # Of an angle's square, so that they are smooth where it is 0: its cosine, and its sine divided by it.
    COS_ROOT = 15
    SINC_ROOT = 16


# Where an operation may have no bounded derivatives, and why.
UNBOUNDED = {
    Operation.RECIPROCAL: "a division by what may be 0",
    Operation.SQRT: "np.sqrt, or a length, of what may be 0",
    Operation.EXP: "np.exp of what may be too large",
    Operation.LOG: "np.log, or a power, of what may be 0 or less",
    Operation.ARCSIN: "np.arcsin, or np.arccos, of what may be 1 or more in magnitude",
    Operation.ABS: "np.abs of what may be 0, where it has a kink",
}
