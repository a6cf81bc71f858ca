"""Kernels with one comparison, sign or number changed: the tests that mirror the kernel must notice each.

A row names the file of the kernel, its function, an expression in it (the first that reads so), what it is
changed to, and the tests that are asked. Chosen are changes of answers: what would only cost time is none.
"""

from typing import NamedTuple


class Mutant(NamedTuple):
    """A change of one expression in a function of `src/firstcontact`, and the tests that must notice it."""

    file: str
    function: str
    old: str
    new: str
    tests: str

    @property
    def name(self) -> str:
        """What is changed, in a line."""
        return f"{self.file}, {self.function}: {self.old} -> {self.new}"


_ROWS = """
narrowphase/elementary/coplanarity_filter.py | is_axis_free | min(above_t0, above_t1) > separation | max(above_t0, above_t1) > separation | narrowphase/elementary/test_coplanarity_filter.py
narrowphase/elementary/coplanarity_filter.py | filter_block | lowest > error | lowest > -error | narrowphase/elementary/test_coplanarity_filter.py
narrowphase/elementary/separation_filter.py | filter_separated_block | lowest > required | lowest > error | narrowphase/elementary/test_separation_filter.py
narrowphase/elementary/coplanarity_roots.py | part_holds | highest < -limit | highest < limit | narrowphase/elementary/test_coplanarity_roots.py
narrowphase/elementary/coplanarity_roots.py | bracket_roots | sign * cubic_value(b, lower) < -limit | sign * cubic_value(b, lower) > -limit | narrowphase/elementary/test_coplanarity_roots.py
narrowphase/elementary/inclusion.py | agreement | highest > tolerance | highest < tolerance | narrowphase/elementary/test_inclusion.py
narrowphase/elementary/refinement.py | is_contact | max(row[0], row[6]) > errors.cubic | max(row[0], row[6]) < errors.cubic | narrowphase/elementary/test_refinement.py
narrowphase/elementary/ties.py | touches_at | cubic_at(room, t) != 0.0 | cubic_at(room, t) == 0.0 | narrowphase/elementary/test_ties.py
narrowphase/elementary/tie_crossings.py | is_crossed | n_positive != 1 | n_positive == 1 | narrowphase/elementary/test_tie_crossings.py
narrowphase/elementary/separation_advancement.py | is_blend_clear | lowest > required | lowest < required | narrowphase/elementary/test_separation_advancement.py
narrowphase/convex/gjk.py | closest_from | along > gap | along < gap | narrowphase/convex/test_gjk.py
narrowphase/convex/simplex.py | _better | length_squared < limit | length_squared > limit | narrowphase/convex/test_simplex.py
narrowphase/convex/expanding_polytope.py | escape_convex_convex | numbers[i] < lower | numbers[i] > lower | narrowphase/convex/test_expanding_polytope.py
narrowphase/convex/separating_axis_boxes.py | least_overlap | overlap < 0.0 | overlap > 0.0 | narrowphase/convex/test_separating_axis_boxes.py
narrowphase/convex/separating_axis_boxes.py | least_overlap | overlap < best.overlap | overlap > best.overlap | narrowphase/convex/test_separating_axis_boxes.py
narrowphase/triangles/triangle_distance.py | nearer | d_squared < best[0] | d_squared > best[0] | narrowphase/triangles/test_triangle_distance.py
narrowphase/triangles/triangle_distance.py | closest_face_corner | we >= 0.0 | we <= 0.0 | narrowphase/triangles/test_triangle_distance.py
narrowphase/triangles/closest_points.py | closest_segment_segment | 0.0 <= s <= 1.0 | 0.0 <= s | narrowphase/triangles/test_closest_points.py
narrowphase/convex/meeting_spheres.py | meeting_sphere_sphere | approach > 0.0 | approach < 0.0 | narrowphase/convex/test_meeting_spheres.py
narrowphase/convex/swept_ellipsoid.py | _entry | b < 0.0 | b > 0.0 | narrowphase/convex/test_swept_ellipsoid.py
narrowphase/triangles/ray_triangle.py | depth_seen | min(min(u, v), w) >= 0.0 | min(min(u, v), w) > 0.0 | narrowphase/triangles/test_ray_triangle.py
proximity/rays/ray_slabs.py | slabs_of | entry <= end | entry >= end | proximity/rays/test_ray_slabs.py
proximity/touching/surrounds.py | winds_around | abs(angle) > pi | abs(angle) < pi | proximity/touching/test_surrounds.py
proximity/touching/surrounds.py | passes | sides > 0 | sides < 0 | proximity/touching/test_surrounds.py
proximity/touching/surrounds.py | _turns_along | not measured[k] > near | not measured[k] < near | proximity/touching/test_surrounds.py
proximity/touching/surrounds.py | surrounds_beyond | turns != 0 | turns > 0 | proximity/touching/test_inside.py
proximity/distance/closest_pair.py | closest_pair | found[0] < best.distance | found[0] > best.distance | proximity/distance/test_mesh_distance.py
proximity/touching/near_pairs.py | collect_pairs | apart <= distance | apart >= distance | proximity/touching/test_near_pairs.py
bounds/swept_bounds.py | _position_interval | x - error | x + error | bounds/test_swept_bounds.py
bounds/swept_sphere_gap.py | half_extent | volume.half_length * abs(dot(n, volume.along)) + volume.half_width * abs(dot(n, volume.across)) | volume.half_length * abs(dot(n, volume.along)) - volume.half_width * abs(dot(n, volume.across)) | bounds/test_swept_sphere_gap.py
shapes/cores.py | half_extent | shape.kind == SEGMENT | shape.kind != SEGMENT | bounds/test_body_bounds.py
hierarchy/build.py | _build_below | node + 2 * (middle - first) | node + 2 * (last - middle) | hierarchy/test_build.py
hierarchy/build.py | is_deep | depth + levels > MAX_DEPTH | depth + levels < MAX_DEPTH | hierarchy/test_build.py
hierarchy/refit.py | _refit_range | min(bounds[left, j], bounds[right, j]) | max(bounds[left, j], bounds[right, j]) | hierarchy/test_refit.py
hierarchy/traversal.py | is_overlapping | p[i, k] > q[j, half + k] | p[i, k] < q[j, half + k] | hierarchy/test_traversal.py
hierarchy/traversal.py | is_overlapping | q[j, k] > p[i, half + k] | q[j, k] >= p[i, half + k] | hierarchy/test_traversal.py
motions/motion_bound.py | turning_travel | 0.5 * rate * most | 0.25 * rate * most | motions/test_motion_bound.py
motions/motion_bound.py | lasting_time | now + root | now - root | motions/test_motion_bound.py
motions/acceleration.py | accelerated | 0.5 * accelerations | 0.25 * accelerations | motions/test_acceleration.py
motions/acceleration.py | write_thrown_row | hypot(hypot(a[0], a[1]), a[2]) | hypot(hypot(a[0], a[1]), a[1]) | motions/test_acceleration.py
advancement/refining.py | _open | deviations > limits | deviations < limits | advancement/test_refining.py
motions/relative_motion.py | placement_at | sub(_swing(a, t), _swing(b, t)) | add(_swing(a, t), _swing(b, t)) | motions/test_relative_motion.py
advancement/queue.py | push | times[parent] <= time | times[parent] >= time | advancement/test_queue.py
rigid/best_first.py | search | times[0] + goal.slack < time | times[0] + goal.slack > time | rigid/test_best_first.py
rigid/controlled_advancement.py | _traverse | gap - margin < w * (distance - margin) | gap - margin > w * (distance - margin) | rigid/test_controlled_advancement.py
rigid/controlled_advancement.py | _traverse | time >= goal.end | time <= goal.end | rigid/test_controlled_advancement.py
rigid/lemma_steps.py | turning_speed_volume | volume.radius + farthest | volume.radius - farthest | rigid/test_lemma_steps.py
rigid/mesh_steps.py | volume_travel | volume.half_width * abs(dot(c, volume.across)) + volume.radius * cosine | volume.half_width * abs(dot(c, volume.across)) - volume.radius * cosine | rigid/test_mesh_steps.py
rigid/proof.py | is_through | max(x, y) > margin | max(x, y) < margin | rigid/test_proof.py
deformable/normal_cones.py | _allowed_directions | min(min(d0[k], d1[k]), d2[k]) > error | max(max(d0[k], d1[k]), d2[k]) > error | deformable/test_normal_cones.py
deformable/normal_cones.py | _is_beside | min(low_a, low_b) > area | max(low_a, low_b) > area | deformable/test_normal_cones.py
deformable/with_rigid/rigid_segment.py | _segment | np.cross(axis, across) | np.cross(across, axis) | deformable/with_rigid/test_rigid_segment.py
broadphase/endpoint_lists.py | _is_after | value > other_value | value < other_value | broadphase/test_sweep_and_prune.py
scene/entry_times.py | entry_time | entry <= leave | entry >= leave | scene/test_entry_times.py
scene/entry_times.py | _balls_meet | root >= 0.0 | root <= 0.0 | scene/test_entry_times.py
articulated/paths/frames.py | reach_of | rate * away + (state[OWN_SPEED] + s * state[SPEED_BEND]) | rate * away - (state[OWN_SPEED] + s * state[SPEED_BEND]) | articulated/paths/test_frames.py
articulated/paths/path_sifting.py | sift | gap > travel | gap < travel | properties/test_robot_cases.py
articulated/paths/path_advancement.py | advance | step.distance <= own.target | step.distance >= own.target | articulated/paths/test_path_advancement.py
articulated/proof/proof_intervals.py | _holds | k.gaps >= k.travels | k.gaps <= k.travels | articulated/proof/test_certificate.py
articulated/proof/proof_check.py | _covers | reached[-1] >= end | reached[-1] <= end | articulated/proof/test_certificate.py
scalar/expansion.py | total_sign | room[TOTAL + n - 1] > 0.0 | room[TOTAL + n - 1] < 0.0 | scalar/test_expansion.py
"""  # noqa: E501

MUTANTS = [Mutant(*(part.strip() for part in row.split("|"))) for row in _ROWS.strip().splitlines()]
