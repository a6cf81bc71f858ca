"""Bounds on rounding errors, each in units of a magnitude that the code computes.

The derivations are in docs/guarantees.md, section by section under the names used here. `u` is the unit
roundoff; a sum or product of k rounded operations is off by at most k u / (1 - k u) of the sum of its terms'
magnitudes, and every constant below is rounded up generously enough to absorb the second order and the
rounding of the magnitude itself.
"""

UNIT_ROUNDOFF = 2.0**-53

# Absolute part of every bound: covers results that underflow. Coordinates are at most 2**150 in magnitude, so
# an underflow (2**-1075) multiplied by three further coordinates stays below 2**-600.
UNDERFLOW = 2.0**-600

# Squares of shorter lengths underflow, and lose the digits that make a unit vector one.
SHORTEST = 2.0**-480

# Bernstein coefficients of the coplanarity cubic, in units of the permanent of the magnitudes: 11 u.
CUBIC_COEFFICIENT = 16.0 * UNIT_ROUNDOFF

# The same after restriction to [0, max_time] by de Casteljau: 11 u + 9 u.
CUBIC_RESTRICTED = 24.0 * UNIT_ROUNDOFF

# Value of the cubic at a time (12 u) and its slack against monotonicity (54 u), beyond the errors of its
# coefficients, in units of the largest coefficient.
CUBIC_EVALUATION = 80.0 * UNIT_ROUNDOFF

# Signed area of a projected triangle at a time, in units of the squared size: 70 u.
SIGNED_AREA = 80.0 * UNIT_ROUNDOFF

# Extent along a direction, in units of the direction's magnitudes times the spread's: 11 u.
DIRECTED_GAP = 20.0 * UNIT_ROUNDOFF

# Distance of two points given by barycentric weights, in units of the spread's size: 16 u.
POINT_DISTANCE = 32.0 * UNIT_ROUNDOFF

# Gap of a contact at its time, in units of the largest sum of a point's coordinates at that time: a vector
# between two points is at most twice as long. It also covers the rounding of the coordinates as given.
CONTACT_GAP = 2.0 * POINT_DISTANCE

# Length of the product of two vectors over the motion, in units of the sums of their magnitudes: 10 u.
NORMAL_LENGTH = 16.0 * UNIT_ROUNDOFF

# Refinement in double-double, in units of the permanent and of the squared size: tens of operations of at
# most 5 u**2 each for the coefficients, 3 u**2 for each of at most 110 halvings.
REFINED_CUBIC = 8192.0 * UNIT_ROUNDOFF**2
REFINED_AREA = 8192.0 * UNIT_ROUNDOFF**2

# Gap between two sides along a direction, or between two points of theirs, in double-double, in units of the
# largest coordinate of the vectors between points, times the direction's length, or the separation: 500 u**2.
REFINED_GAP = 8192.0 * UNIT_ROUNDOFF**2
