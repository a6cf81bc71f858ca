"""Rays through the tree of a mesh, many of them side by side.

A processor works ahead on what it guesses will come. Of a single ray it often guesses wrong: which boxes are
entered, and how many, nobody knows before. So rays go in waves. Whoever is before a block of boxes waits in
one line, whoever is before a leaf in another, and all of a line take the same step, one after the other:
nothing to guess, and while one waits for its block to come from memory, the next is on its way.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel, vector_kernel
from firstcontact._lanes import BLOCK_ROWS, LANE, LINKS, WIDTH, Singles, bits_of, lowest_bit
from firstcontact._ray_lanes import COLUMN, REACH, WAVE, push_entered
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.narrowphase.triangles.ray_triangle import depth_seen, met_triangles, seen_triangle
from firstcontact.proximity.rays.ray_aims import (
    BEST,
    DEEPEST,
    ENTRY,
    PAD,
    START,
    Aims,
    RayFrame,
    aim_rays,
    as_late,
    room_for_aims,
    sight_at,
)
from firstcontact.proximity.rays.ray_hits import ALL, ANY, COUNT, LARGEST, Hits, Rays

# Which of a wave a ray is: what the compiler sees is not negative takes fewer steps to look up.
OF_WAVE = WAVE - 1

# Columns of how rays go: what each is before, a block, or ~l for leaf l; where its stack ends; the place of
# its best hit; the row of its next hit; bits of the triangles that it may meet. Then the lines: who is before
# blocks, before leaves, before triangles.
ITEM, TOP, PLACE, ROW, MET, BLOCK_LINE, LEAF_LINE, TRIANGLE_LINE, STATE_COLUMNS = (
    column * COLUMN for column in range(9)
)

# Rays whose triangles are measured together, and how many triangles those are at the most; a few more, as in
# `COLUMN`. Columns of what is seen of them: three corners each; where the ray starts, and how fast it is; in
# place of those, then, depth and time.
TOGETHER = 64
MOST_MET = TOGETHER * WIDTH + 8
XS, YS, ZS, DEPTH, TIME, SEEN_COLUMNS = (column * MOST_MET for column in (0, 3, 6, 9, 10, 11))


class RayTree(NamedTuple):
    """What a search reads: arrays of a `RayBody`, all flat."""

    blocks: Singles
    links: Ids
    triangles: Array
    faces: Ids
    places: Ids


class Wave(NamedTuple):
    """Rays under way.

    aims : of the rays
    states : (STATE_COLUMNS,)
    stacks : (n * room,) blocks, and leaves, to look into, as `push_entered` writes them, above one that stays
    seen : (SEEN_COLUMNS,) triangles that may be met
    owners : (MOST_MET,) the ray and the place of each of them
    """

    aims: Aims
    states: Keys
    stacks: Keys
    seen: Array
    owners: Keys


@kernel
def make_wave(n: int, room: int) -> Wave:
    """Make room for n rays, at most WAVE, for each of which so many blocks and leaves wait at the most."""
    stacks = np.zeros(n * (room + 2), np.int64)  # the one that stays leads somewhere
    seen, owners = np.empty(SEEN_COLUMNS), np.empty(2 * MOST_MET, np.int64)
    return Wave(room_for_aims(), np.empty(STATE_COLUMNS, np.int64), stacks, seen, owners)


@kernel
def cast_rays(
    frame: RayFrame, rays: Rays, hits: Hits, tree: RayTree, room: int, wanted: int, span: tuple[int, int]
) -> None:
    """Cast the rays of a span: through the tree depth first, the nearer children first."""
    size = min(WAVE, span[1] - span[0])
    wave = make_wave(size, room)
    for first in range(span[0], span[1], WAVE):
        last = min(first + WAVE, span[1])
        aim_rays(frame, rays, wave.aims, first, last)
        n_blocks, n_leaves = _start(hits.starts, wave, room + 2, wanted, first, last), 0
        while n_blocks + n_leaves > 0:
            while n_blocks > 0:
                n_blocks, n_leaves = _enter(tree, wave, room + 2, n_blocks, n_leaves)
            n_met = _cross(tree.triangles, wave, n_leaves)
            for part in range(0, n_met, TOGETHER):
                n_seen = _see(tree.triangles, wave, part, min(part + TOGETHER, n_met))
                _measure(wave.seen, frame.unit, rays.min_time, n_seen)
                if wanted >= COUNT:
                    _list(hits, tree.faces, wave, wanted, rays.max_time, n_seen)
                else:
                    _improve(tree.faces, wave, n_seen)
            if wanted < COUNT:
                _shorten(wave, room + 2, wanted, n_met)
            n_blocks, n_leaves = _leave(tree.links, wave, room + 2, n_leaves)
        _finish(hits, wave, wanted, tree.faces, first, last)


@kernel
def _start(starts: Keys, wave: Wave, room: int, wanted: int, first: int, last: int) -> int:
    """Put those rays into line that enter the tree; return how many."""
    states, sights, n = wave.states, wave.aims.sights, 0
    for r in range(last - first):
        states[ITEM + r], states[TOP + r], states[PLACE + r] = 0, r * room + 1, -1
        states[ROW + r] = 0 if wanted == COUNT else starts[first + r]
        states[BLOCK_LINE + n] = r
        n += sights[ENTRY + r] < INFINITY
    return n


@kernel
def _enter(tree: RayTree, wave: Wave, room: int, n_blocks: int, n_leaves: int) -> tuple[int, int]:
    """Let whoever is before a block enter it; return how many are before blocks, and before leaves, then."""
    blocks, links, slabs, states, stacks = tree.blocks, tree.links, wave.aims.slabs, wave.states, wave.stacks
    n = 0
    for q in range(n_blocks):
        r = states[BLOCK_LINE + q] & OF_WAVE
        top = push_entered(blocks, states[ITEM + r], slabs, r, stacks, states[TOP + r]) - 1
        item, is_left = _linked(links, stacks[top]), top > r * room
        states[ITEM + r], states[TOP + r] = item, top
        states[BLOCK_LINE + n] = states[LEAF_LINE + n_leaves] = r
        n += is_left & (item >= 0)
        n_leaves += is_left & (item < 0)
    return n, n_leaves


@kernel
def _leave(links: Ids, wave: Wave, room: int, n_leaves: int) -> tuple[int, int]:
    """Let whoever is done with a leaf go to what waits; return as `_enter`.

    To let those who have entered a block go on by the same pass, after all have, takes 5 % longer.
    """
    states, stacks, n_blocks, n = wave.states, wave.stacks, 0, 0
    for q in range(n_leaves):
        r = states[LEAF_LINE + q] & OF_WAVE
        top = states[TOP + r] - 1
        item, is_left = _linked(links, stacks[top]), top > r * room
        states[ITEM + r], states[TOP + r] = item, top
        states[BLOCK_LINE + n_blocks] = states[LEAF_LINE + n] = r
        n_blocks += is_left & (item >= 0)
        n += is_left & (item < 0)
    return n_blocks, n


@kernel
def _linked(links: Ids, entry: int) -> int:
    """What an entry of a stack leads to."""
    return int(links[(entry & 0xFFFFFFFF) * (BLOCK_ROWS * WIDTH) + LINKS * WIDTH + (entry >> 32 & LANE)])


@kernel
def _cross(triangles: Array, wave: Wave, n_leaves: int) -> int:
    """Put those rays into line that may meet triangles of the leaf that they are before; return how many."""
    sights, states, n = wave.aims.sights, wave.states, 0
    for q in range(n_leaves):
        r = states[LEAF_LINE + q] & OF_WAVE
        met = met_triangles(sight_at(sights, r), triangles, ~states[ITEM + r])
        states[TRIANGLE_LINE + n], states[MET + r] = r, met
        n += met != 0
    return n


@kernel
def _see(triangles: Array, wave: Wave, first: int, last: int) -> int:
    """See the triangles that some of the rays in line may meet; return how many."""
    sights, states, seen, owners = wave.aims.sights, wave.states, wave.seen, wave.owners
    n_seen = 0
    for q in range(first, last):
        r = states[TRIANGLE_LINE + q] & OF_WAVE
        met, place, sight = states[MET + r], WIDTH * ~states[ITEM + r], sight_at(sights, r)
        while met != 0:
            at = place + lowest_bit(met)
            xs, ys, zs = seen_triangle(sight, triangles, at)
            for k in range(3):
                step = k * MOST_MET + n_seen
                seen[XS + step], seen[YS + step], seen[ZS + step] = xs[k], ys[k], zs[k]
            seen[DEPTH + n_seen], seen[TIME + n_seen] = sights[START + r], sight.speed
            owners[n_seen], owners[MOST_MET + n_seen] = r, at
            met &= met - 1
            n_seen += 1
    return n_seen


@vector_kernel
def _measure(seen: Array, unit: float, min_time: float, n: int) -> None:
    """Find depths and times of triangles that were seen."""
    for i in range(n):
        xs = seen[XS + i], seen[XS + MOST_MET + i], seen[XS + 2 * MOST_MET + i]
        ys = seen[YS + i], seen[YS + MOST_MET + i], seen[YS + 2 * MOST_MET + i]
        zs = seen[ZS + i], seen[ZS + MOST_MET + i], seen[ZS + 2 * MOST_MET + i]
        depth = depth_seen(xs, ys, zs, seen[DEPTH + i])
        time = max(min(depth * unit / seen[TIME + i], LARGEST), min_time)
        seen[DEPTH + i], seen[TIME + i] = depth, time


@kernel
def _improve(faces: Ids, wave: Wave, n: int) -> None:
    """Keep the first hit of each ray, of several at one time that on the first face."""
    sights, states, seen, owners = wave.aims.sights, wave.states, wave.seen, wave.owners
    for i in range(n):
        r, place, depth, time = owners[i] & OF_WAVE, owners[MOST_MET + i], seen[DEPTH + i], seen[TIME + i]
        best, best_time = states[PLACE + r], sights[BEST + r]
        is_first = best < 0 or faces[place] < faces[best]
        if depth <= sights[DEEPEST + r] and (time < best_time or (time == best_time and is_first)):
            sights[BEST + r], states[PLACE + r], sights[DEEPEST + r] = time, place, as_late(depth)


@kernel
def _shorten(wave: Wave, room: int, wanted: int, n: int) -> None:
    """Forget what is farther than the hits that were found."""
    sights, slabs, states, stacks = wave.aims.sights, wave.aims.slabs, wave.states, wave.stacks
    for q in range(n):
        r = states[TRIANGLE_LINE + q] & OF_WAVE
        reach = np.float32(sights[DEEPEST + r] - sights[ENTRY + r] + sights[PAD + r])
        slabs[REACH + r] = reach
        top, limit = r * room + 1, np.int64(bits_of(reach)) | LANE
        is_done = wanted == ANY and states[PLACE + r] >= 0
        for at in range(top, top if is_done else states[TOP + r]):
            entry = stacks[at]
            stacks[top] = entry
            top += entry >> 32 <= limit
        states[TOP + r] = top


@kernel
def _list(hits: Hits, faces: Ids, wave: Wave, wanted: int, max_time: float, n: int) -> None:
    """List, or count, all hits."""
    sights, states, seen, owners = wave.aims.sights, wave.states, wave.seen, wave.owners
    times, met = hits.times, hits.faces
    for i in range(n):
        r = owners[i] & OF_WAVE
        if seen[DEPTH + i] <= sights[DEEPEST + r] and seen[TIME + i] <= max_time:
            row = states[ROW + r]
            if wanted == ALL:
                times[row], met[row] = seen[TIME + i], faces[owners[MOST_MET + i]]
            states[ROW + r] = row + 1


@kernel
def _finish(hits: Hits, wave: Wave, wanted: int, faces: Ids, first: int, last: int) -> None:
    """Write what the rays of a wave have met."""
    sights, states, starts, times, met = wave.aims.sights, wave.states, hits.starts, hits.times, hits.faces
    for r in range(last - first):
        row, place = states[ROW + r], states[PLACE + r]
        if wanted == COUNT:
            starts[first + r + 1] = row
        elif wanted == ALL:
            _sort(times, met, starts[first + r], row)
        else:
            times[row] = sights[BEST + r] if place >= 0 else INFINITY
            met[row] = faces[place] if place >= 0 else -1


@kernel
def _sort(times: Array, faces: Ids, first: int, last: int) -> None:
    """Sort the hits of a ray by time, then by face (Shell 1959)."""
    gap = last - first
    while gap > 1:
        gap = gap // 2
        for i in range(first + gap, last):
            time, face, at = times[i], faces[i], i
            while at - gap >= first:
                other = times[at - gap]
                if other < time or (other == time and faces[at - gap] < face):
                    break
                times[at], faces[at] = other, faces[at - gap]
                at -= gap
            times[at], faces[at] = time, face
