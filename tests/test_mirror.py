"""The tests mirror the rooms: a source file has a test file of its name, or a line here says which has it.

Of a file that is moved, renamed or added, the lines of its room are to be mended, and of no other.
"""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src" / "firstcontact"

# By room: files without a test file of their own, and the test file that would notice a fault of theirs.
THROUGH = {
    "": {
        "_cache_home": "test_jit.py",
        "_object_code": "test_found_code.py",
        "arrays": "test_layers.py",  # names of types alone
        "errors": "test_public_names.py",
        "status": "queries/kinds/test_rigid.py",
    },
    "advancement": {
        "contact_watch": "queries/test_contact_intervals.py",
        "descent": "properties/test_clearance.py",
        "far_pieces": "properties/test_motions.py",
        "nearest": "properties/test_clearance.py",
        "nearest_refining": "properties/test_clearance.py",
        "nearest_stretches": "properties/test_clearance.py",
    },
    "answers": {
        "clearance_results": "queries/test_clearance.py",
        "field_results": "queries/kinds/test_field_contacts.py",
        "intersection_results": "queries/test_intersections.py",
        "interval_results": "queries/test_contact_intervals.py",
        "contact_results": "queries/test_travel.py",
        "depth_results": "queries/test_depths.py",
        "elementary_results": "queries/test_travel.py",
        "neighbor_results": "queries/test_neighbors.py",
        "penetration_results": "queries/test_penetration.py",
        "proximity_results": "queries/test_proximity.py",
        "point_results": "queries/test_signed_distance.py",
        "ray_results": "queries/test_ray_cast.py",
        "report_results": "queries/test_mesh_report.py",
        "robot_results": "queries/test_travel.py",
        "sequence_results": "queries/test_sequence.py",
        "sweep_results": "queries/test_swept_volume.py",
    },
    "articulated/model": {
        "link_parts": "articulated/model/test_robot.py",
        "robot_words": "articulated/model/test_robot_xml.py",
        "world_shapes": "articulated/proof/test_certificate.py",
    },
    "articulated/paths": {
        "joint_deviations": "properties/test_robot_splines.py",
        "closest_links": "properties/test_robot_truth.py",
        "mesh_clearance": "properties/test_robot_truth.py",
        "pair_gap": "properties/test_robot_truth.py",
        "path_contacts": "properties/test_robot_truth.py",
        "path_nearest": "queries/kinds/test_robot_clearance.py",
        "path_depths": "queries/kinds/test_robot_intervals.py",
        "path_spans": "queries/kinds/test_robot_intervals.py",
        "path_sifting": "properties/test_robot_cases.py",
        "path_subdivision": "properties/test_robot_truth.py",
        "path_types": "articulated/paths/test_path_advancement.py",
        "posed": "articulated/paths/test_frame_rows.py",
        "world_motions": "articulated/paths/test_shape_states.py",
    },
    "articulated/proof": {
        "proof_splines": "motions/trajectories/test_joint_spline.py",
        "proof_check": "articulated/proof/test_certificate.py",
        "proof_intervals": "articulated/proof/test_certificate.py",
    },
    "bodies": {
        "face_faults": "queries/test_mesh_report.py",
        "closed_faces": "queries/test_depths.py",
        "convex_side": "proximity/distance/test_convex_distance.py",
        "mesh_parts": "proximity/touching/test_inside.py",
        "packed_body": "queries/in_short/test_convexes.py",
        "mesh_table": "properties/test_robot_truth.py",
        "placed_triangle": "rigid/convex/test_convex_mesh_steps.py",
        "point_body": "proximity/points/test_closest_on_mesh.py",
        "ray_body": "proximity/rays/test_ray_mesh.py",
    },
    "broadphase": {
        "changes": "broadphase/test_broad_phase.py",
        "endpoint_lists": "broadphase/test_sweep_and_prune.py",
        "leaves": "broadphase/test_dynamic_tree.py",
        "overlaps": "scene/test_crowd.py",
    },
    "cli": {
        "command": "cli/test_main.py",
        "command_error": "cli/texts/test_pose_text.py",
        "frame_view": "cli/commands/test_view.py",
        "mesh_output": "cli/commands/test_sweep.py",
        "page": "cli/commands/test_check.py",
        "profile": "cli/commands/test_robot_clearance.py",
        "steps": "cli/commands/test_sequence.py",
    },
    "cli/commands": {
        "demo": "cli/demo/test_telling.py",
        "bench_cases": "cli/commands/test_bench.py",
        "warmup": "cli/test_main.py",
    },
    "cli/compiling": {
        "machine_code": "cli/commands/test_info.py",
        "rare_queries": "cli/test_main.py",
        "warming": "cli/test_main.py",
    },
    "cli/demo": {
        "draping": "cli/demo/test_cloth.py",
        "pushes": "cli/demo/test_cloth.py",
        "side_by_side": "cli/demo/test_telling.py",
        "smithy": "cli/demo/test_hammer.py",
        "solids": "cli/demo/test_hammer.py",
        "springs": "cli/demo/test_cloth.py",
        "workbench": "cli/demo/test_arm.py",
    },
    "cli/options": {
        "placed": "cli/commands/test_distance.py",
        "kinds": "cli/commands/test_elementary.py",
        "motion_options": "cli/commands/test_check.py",
        "moving_robot": "cli/commands/test_sweep.py",
        "robot_options": "cli/commands/test_robot.py",
        "workers": "cli/commands/test_worker.py",
    },
    "cli/texts": {
        "archive": "cli/commands/test_elementary.py",
        "contact_file": "cli/commands/test_sequence.py",
    },
    "clusters": {
        "local": "clusters/test_cluster.py",
        "versions": "clusters/test_cluster.py",
    },
    "deformable": {
        "common_steps": "queries/kinds/test_deforming_steps.py",
        "cloud_features": "properties/test_deforming_clouds.py",
        "contact_list": "queries/test_most_contacts.py",
        "culling": "properties/test_contacts_culling.py",
        "least_distance": "queries/kinds/test_deforming_clearance.py",
        "moving_tree": "queries/kinds/test_deforming_clearance.py",
        "straight_steps": "queries/kinds/test_deforming_clearance.py",
        "rows": "queries/test_contact_normals.py",
        "search": "properties/test_contacts_determinism.py",
        "settle": "properties/test_contacts_oracle.py",
        "simultaneous": "properties/test_first_contact.py",
    },
    "deformable/touching": {
        "touch_sides": "queries/test_contact_normals.py",
        "touch_directions": "queries/test_contact_normals.py",
        "pierced_rows": "deformable/touching/test_pierced.py",
    },
    "deformable/with_rigid": {
        "convex_deforming_in_steps": "queries/kinds/test_deforming_steps.py",
    },
    "fields": {
        "single_point": "queries/in_short/test_points.py",
        "field_contacts": "queries/kinds/test_field_contacts.py",
        "field_points": "queries/kinds/test_field_resting.py",
        "field_rays": "queries/kinds/test_field_resting.py",
        "field_values": "fields/test_distance_field.py",
        "octree": "fields/test_distance_field.py",
        "piece_room": "queries/kinds/test_field_first.py",
        "pieces": "fields/test_piece_bounds.py",
    },
    "fields/building": {
        "growing": "fields/test_distance_field.py",
        "cell_proof": "fields/test_distance_field.py",
        "core_proof": "fields/test_distance_field.py",
        "sampling": "fields/test_distance_field.py",
        "source": "fields/test_distance_field.py",
        "mixture": "fields/building/test_combining.py",
    },
    "hierarchy": {
        "shares": "properties/test_contacts_determinism.py",
        "pair_key": "advancement/test_queue.py",
        "tree": "hierarchy/test_build.py",
    },
    "io": {
        "gltf_data": "io/test_gltf_refused.py",
        "gltf_scene": "io/test_gltf.py",
        "ply_header": "io/test_ply.py",
        "ply_rows": "io/test_ply.py",
    },
    "motions": {
        "law": "motions/test_acceleration.py",
        "law_table": "advancement/test_stretches.py",
        "smooth": "motions/trajectories/test_formula_trajectory.py",
        "short_rows": "queries/in_short/test_convexes.py",
        "standing_rows": "queries/in_short/test_points.py",
    },
    "motions/trajectories": {
        "formula_states": "motions/trajectories/test_formula_trajectory.py",
        "polynomials": "motions/trajectories/test_spline.py",
        "several_trajectories": "motions/trajectories/test_formula_trajectory.py",
        "smooth_rows": "motions/trajectories/test_formula_trajectory.py",
        "spline_trajectory": "motions/trajectories/test_spline.py",
        "trajectory": "motions/trajectories/test_spline.py",
        "turn_polynomials": "motions/trajectories/test_spline.py",
    },
    "narrowphase/convex": {
        "point_ellipsoid": "narrowphase/convex/test_point_shapes.py",
        "overlap_depth": "queries/test_contact_intervals.py",
        "difference": "narrowphase/convex/test_penetration_descent.py",
        "shape_travel": "rigid/convex/test_convex_mesh_steps.py",
    },
    "narrowphase/elementary": {
        "elementary_ccd": "narrowphase/elementary/test_elementary_stages.py",
        "elementary_exact_separation": "narrowphase/elementary/test_elementary_exact.py",
        "elementary_query": "narrowphase/elementary/test_elementary_exact.py",
    },
    "narrowphase/triangles": {
        "piercing_depth": "queries/test_contact_intervals.py",
        "nearest_on_triangle": "proximity/points/test_closest_on_mesh.py",
        "solid_angle": "proximity/points/test_winding.py",
    },
    "proximity/distance": {
        "closest_pair": "proximity/distance/test_mesh_distance.py",
        "single_distance": "queries/in_short/test_convexes.py",
    },
    "proximity/neighbors": {
        "near_points": "queries/test_neighbors.py",
    },
    "proximity/penetration": {
        "contact_region_labels": "proximity/penetration/test_contact_regions.py",
        "self_overlap": "queries/test_depths.py",
        "vertex_depths": "queries/test_depths.py",
        "line_penetration": "proximity/penetration/test_contact_regions.py",
        "plane_penetration": "proximity/penetration/test_contact_regions.py",
    },
    "proximity/points": {
        "single_point": "queries/in_short/test_points.py",
        "point_order": "proximity/points/test_closest_on_mesh.py",
        "pseudonormals": "proximity/points/test_signed_on_mesh.py",
        "signed_on_convex": "queries/test_signed_distance.py",
    },
    "proximity/rays": {
        "ray_convex": "queries/test_ray_cast.py",
        "ray_rounded": "queries/test_ray_cast.py",
        "ray_hits": "proximity/rays/test_ray_mesh.py",
        "single_ray": "queries/in_short/test_convexes.py",
    },
    "proximity/touching": {
        "contact_rows": "proximity/touching/test_touching_places.py",
        "feature_candidates": "proximity/touching/test_touching_places.py",
        "feature_contacts": "proximity/touching/test_touching_places.py",
        "firm_depths": "queries/test_contact_intervals.py",
    },
    "proximity/tracking": {
        "body_tracking": "queries/test_tracker.py",
        "pair_list": "queries/test_tracker.py",
        "convex_tracking": "queries/test_tracker.py",
        "tracked_poses": "queries/test_tracker.py",
    },
    "queries": {
        "quick": "queries/test_registry.py",
        "derived_rows": "queries/test_registry.py",
        "refusals": "queries/test_registry.py",
        "row": "queries/test_registry.py",
        "batches": "queries/kinds/test_rigid.py",
        "first_contact": "properties/test_first_contact.py",
        "frames": "queries/test_sequence.py",
        "is_free": "properties/test_robot_truth.py",
        "look_up": "queries/test_registry.py",
    },
    "queries/in_short": {
        "arrivals": "queries/in_short/test_first.py",
        "meshes": "queries/in_short/test_convexes.py",
    },
    "queries/kinds": {
        "convex_deforming": "deformable/with_rigid/test_convex_deforming_first.py",
        "deforming": "properties/test_first_contact.py",
        "mixed": "deformable/with_rigid/test_rigid_pieces.py",
        "resting": "queries/test_distance_of_overlaps.py",
        "rigid_clearance": "queries/test_clearance.py",
        "rigid_intervals": "queries/test_contact_intervals.py",
        "robot": "properties/test_robot_truth.py",
        "tracking": "queries/test_tracker.py",
    },
    "queries/spread": {
        "spread_batch": "queries/test_executor.py",
        "spread_robot": "queries/test_executor.py",
        "spread_things": "queries/test_executor.py",
    },
    "rigid": {
        "depths": "queries/test_contact_intervals.py",
        "spans": "queries/test_contact_intervals.py",
        "closest_then": "properties/test_clearance.py",
        "descents": "properties/test_clearance.py",
        "least_distance": "properties/test_clearance.py",
        "pair_kinds": "properties/test_clearance.py",
        "mesh_single": "queries/in_short/test_first.py",
        "single_first": "queries/in_short/test_first.py",
    },
    "rigid/convex": {
        "convex_first": "properties/test_convex_first_contact.py",
        "convex_proof": "properties/test_convex_first_contact.py",
        "convex_single": "queries/in_short/test_convexes.py",
        "convex_steps": "properties/test_convex_first_contact.py",
    },
    "rigid/fields": {
        "field_first": "queries/kinds/test_field_first.py",
        "field_proof": "queries/kinds/test_field_first.py",
        "field_single": "queries/in_short/test_fields.py",
        "field_nearest": "queries/kinds/test_field_resting.py",
        "field_spans": "queries/kinds/test_field_intervals.py",
    },
    "scalar": {
        "formula_codes": "scalar/test_formula.py",
        "formula_notes": "motions/trajectories/test_described.py",
        "interval": "scalar/test_jets.py",
    },
    "scene": {
        "bodies_then": "scene/test_threads.py",
        "candidates": "scene/test_crowd.py",
        "many_motions": "scene/test_scene.py",
        "results": "scene/test_scene.py",
        "row_motions": "scene/test_throws.py",
        "shape_numbers": "scene/test_bodies.py",
        "state": "scene/test_threads.py",
    },
    "shapes": {
        "box": "shapes/test_convex_shapes.py",
        "capsule": "shapes/test_convex_shapes.py",
        "cone": "shapes/test_convex_shapes.py",
        "convex_hull": "shapes/test_convex_shapes.py",
        "convex_shape": "shapes/test_convex_shapes.py",
        "cores": "shapes/test_convex.py",
        "cylinder": "shapes/test_convex_shapes.py",
        "ellipsoid": "shapes/test_convex_shapes.py",
        "height_field": "shapes/test_convex_shapes.py",
        "movable": "shapes/test_moving.py",
        "packed_convex": "queries/in_short/test_convexes.py",
        "shape": "shapes/test_moving.py",
        "sphere": "shapes/test_convex_shapes.py",
    },
    "spreading": {
        "batch": "queries/test_executor.py",
        "here": "spreading/test_folder.py",
        "keeping": "queries/test_executor.py",
        "question": "spreading/test_folder.py",
        "spread": "queries/test_executor.py",
        "versions": "spreading/test_work.py",
    },
    "sweeping": {
        "snapshots": "queries/test_swept_volume.py",
        "surfaces": "queries/test_swept_volume.py",
        "sweep_prisms": "queries/test_swept_volume.py",
        "sweep_size": "queries/test_swept_volume.py",
    },
}

# By room: test files about no single source file, but about something that several do together.
TOGETHER = {
    "": (
        "assertions", "documents", "fuzz", "house", "layers", "mirror", "open_kernels", "public_names",
        "specialisations", "specialisations_of_robots", "specialisations_of_shapes", "warm_start",
        "wrong_inputs",
    ),
    "articulated/model": ("urdf_shared",),
    "io": ("gltf_refused",),
    "queries": (
        "contact_normals", "contacts_truth", "distance_of_overlaps", "elementary_truth", "executor",
        "most_contacts",
        "panda_problems", "travel", "travelling_things",
    ),
    "scene": ("fields", "half_spaces", "threads", "throws"),
    "shapes": ("convex_shapes",),
}  # fmt: skip


def rooms():
    """The files of each room, by their names."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        if not path.stem.startswith("__"):
            found.setdefault(path.parent.relative_to(SOURCE).as_posix().strip("."), set()).add(path.stem)
    return found


def about_in(room):
    return {path.stem.removeprefix("test_") for path in (TESTS / room).glob("test_*.py")}


def test_every_source_file_has_tests():
    found = rooms()
    assert len(found) > 20
    for room, names in found.items():
        elsewhere = THROUGH.get(room, {}).keys()
        missing = {name for name in names if name.lstrip("_") not in about_in(room)}
        assert sorted(missing - elsewhere) == [], f"{room}: no test file, and no line above"
        assert sorted(elsewhere - missing) == [], f"{room}: a line above, and a test file or no source"


def test_every_test_file_has_a_source():
    for room, names in rooms().items():
        mirrored, others = {name.lstrip("_") for name in names}, set(TOGETHER.get(room, ()))
        assert sorted(about_in(room) - mirrored - others) == [], f"{room}: no source, and no word above"
        assert sorted(others - (about_in(room) - mirrored)) == [], f"{room}: a word above, and no such file"


def test_what_is_named_here_is_there():
    assert THROUGH.keys() | TOGETHER.keys() <= rooms().keys()
    named = {file for room in THROUGH.values() for file in room.values()}
    assert sorted(file for file in named if not (TESTS / file).is_file()) == []
