"""Source files without a test file of their own: which test file would notice a fault of theirs."""

# By room: the test file, and the source files that are tested through it.
_BY_TEST = {
    "": {
        "fields/test_distance_field.py": "progress_bar",
        "queries/kinds/test_rigid.py": "status",
        "test_found_code.py": "_object_code",
        "test_jit.py": "_cache_home",
        "test_public_names.py": "errors",
    },
    "advancement": {
        "properties/test_clearance.py": "descent nearest nearest_refining nearest_stretches",
        "properties/test_motions.py": "far_pieces",
        "queries/test_contact_intervals.py": "contact_watch",
    },
    "answers": {
        "queries/test_voronoi.py": "voronoi_results",
        "queries/decomposing/test_sphere_tree.py": "sphere_results",
        "queries/kinds/test_field_contacts.py": "field_results",
        "queries/test_candidates.py": "pair_distances",
        "queries/test_clearance.py": "clearance_results",
        "queries/test_contact_intervals.py": "interval_results",
        "queries/test_depths.py": "depth_results",
        "queries/test_intersections.py": "intersection_results",
        "queries/test_mesh_report.py": "report_results",
        "queries/test_near.py": "near_results",
        "queries/test_neighbors.py": "neighbor_results",
        "queries/test_penetration.py": "penetration_results",
        "queries/test_proximity.py": "proximity_results",
        "queries/test_ray_cast.py": "ray_results",
        "queries/test_sequence.py": "sequence_results",
        "queries/test_signed_distance.py": "point_results",
        "queries/test_swept_volume.py": "sweep_results",
        "queries/test_travel.py": "elementary_results robot_results",
    },
    "articulated/model": {
        "articulated/model/test_contact_rules.py": "robot_contacts",
        "articulated/model/test_joint_group.py": "configurations",
        "articulated/model/test_mjcf.py": "mjcf_shapes",
        "articulated/model/test_jacobians.py": "robot_jacobian",
        "articulated/model/test_robot.py": "link_parts",
        "articulated/model/test_robot_xml.py": "robot_words",
        "articulated/proof/test_certificate.py": "world_shapes",
    },
    "articulated/paths": {
        "articulated/paths/test_frame_rows.py": "posed",
        "queries/kinds/test_robot_near.py": "piece_poses",
        "queries/kinds/test_robot_near_paths.py": "pair_speeds",
        "articulated/paths/test_kept_worlds.py": "changed_world",
        "articulated/paths/test_path_advancement.py": "path_types",
        "articulated/paths/test_shape_states.py": "settled_rows world_motions",
        "properties/test_robot_cases.py": "path_sifting",
        "properties/test_robot_splines.py": "joint_deviations",
        "properties/test_robot_truth.py": (
            "closest_links mesh_clearance pair_gap path_contacts path_subdivision"
        ),
        "queries/in_short/test_robots.py": "path_resting ready_worlds single_path",
        "queries/kinds/test_robot_clearance.py": "path_nearest",
        "queries/kinds/test_robot_intervals.py": "path_depths path_spans",
    },
    "articulated/proof": {
        "articulated/proof/test_certificate.py": "proof_check proof_intervals",
        "motions/trajectories/test_joint_spline.py": "proof_splines",
    },
    "bodies": {
        "rigid/test_many_meshes.py": "body_table",
        "properties/test_robot_truth.py": "mesh_table",
        "proximity/distance/test_convex_distance.py": "convex_side",
        "proximity/plane/test_edge_pairs.py": "plane_body",
        "proximity/points/test_closest_on_mesh.py": "point_body",
        "proximity/rays/test_ray_mesh.py": "ray_body",
        "proximity/touching/test_inside.py": "mesh_parts",
        "proximity/touching/test_oriented_touching.py": "oriented_body",
        "queries/in_short/test_convexes.py": "packed_body",
        "queries/test_depths.py": "closed_faces",
        "queries/test_mesh_report.py": "face_faults",
        "rigid/convex/test_convex_mesh_steps.py": "placed_triangle",
    },
    "broadphase": {
        "broadphase/test_broad_phase.py": "changes",
        "broadphase/test_dynamic_tree.py": "leaves",
        "broadphase/test_sweep_and_prune.py": "endpoint_lists",
        "scene/test_crowd.py": "overlaps",
    },
    "cli": {
        "cli/commands/test_check.py": "page",
        "cli/commands/test_robot_clearance.py": "profile",
        "cli/commands/test_sequence.py": "steps",
        "cli/commands/test_sweep.py": "mesh_output",
        "cli/commands/test_view.py": "frame_view",
        "cli/test_main.py": "command",
        "cli/texts/test_pose_text.py": "command_error",
    },
    "cli/commands": {
        "cli/commands/test_bench.py": "bench_cases",
        "cli/demo/test_telling.py": "demo",
        "cli/test_main.py": "warmup",
    },
    "cli/compiling": {
        "cli/commands/test_info.py": "machine_code",
        "cli/test_main.py": "rare_queries warming",
    },
    "cli/demo": {
        "cli/demo/test_arm.py": "workbench",
        "cli/demo/test_cloth.py": "draping pushes springs",
        "cli/demo/test_hammer.py": "smithy solids",
        "cli/demo/test_telling.py": "side_by_side",
    },
    "cli/options": {
        "cli/commands/test_check.py": "motion_options",
        "cli/commands/test_distance.py": "placed",
        "cli/commands/test_elementary.py": "kinds",
        "cli/commands/test_robot.py": "robot_options",
        "cli/commands/test_sweep.py": "moving_robot",
        "cli/commands/test_worker.py": "workers",
    },
    "cli/texts": {
        "cli/commands/test_elementary.py": "archive",
        "cli/commands/test_sequence.py": "contact_file",
    },
    "clusters": {
        "clusters/test_cluster.py": "local versions",
    },
    "deformable": {
        "properties/test_contacts_culling.py": "culling",
        "properties/test_contacts_determinism.py": "search",
        "properties/test_contacts_oracle.py": "settle",
        "properties/test_deforming_clouds.py": "cloud_features",
        "properties/test_first_contact.py": "simultaneous",
        "queries/kinds/test_deforming_clearance.py": "least_distance moving_tree straight_steps",
        "queries/kinds/test_deforming_steps.py": "common_steps",
        "queries/kinds/test_several.py": "feature_names",
        "queries/test_contact_normals.py": "rows",
        "queries/test_most_contacts.py": "contact_list",
    },
    "deformable/reuse": {
        "queries/test_candidates.py": "near_pairs pair_gap pair_search",
    },
    "deformable/touching": {
        "deformable/touching/test_pierced.py": "pierced_candidates pierced_rows",
        "queries/test_contact_normals.py": "touch_directions touch_sides",
    },
    "deformable/with_rigid": {
        "queries/kinds/test_deforming_steps.py": "convex_deforming_in_steps",
    },
    "fields": {
        "fields/test_distance_field.py": "field_values octree",
        "fields/test_piece_bounds.py": "pieces",
        "queries/in_short/test_points.py": "single_point",
        "queries/kinds/test_field_contacts.py": "field_contacts",
        "queries/kinds/test_field_first.py": "piece_room",
        "queries/kinds/test_field_resting.py": "field_points field_rays",
    },
    "fields/building": {
        "fields/building/test_combining.py": "mixture",
        "fields/test_distance_field.py": "cell_proof core_proof growing sampling source",
    },
    "hierarchy": {
        "advancement/test_queue.py": "pair_key",
        "hierarchy/test_build.py": "tree",
        "properties/test_contacts_determinism.py": "shares",
    },
    "io": {
        "io/test_gltf.py": "gltf_scene",
        "io/test_gltf_refused.py": "gltf_data",
        "io/test_ply.py": "ply_header ply_rows",
    },
    "motions": {
        "advancement/test_stretches.py": "law_table",
        "motions/test_acceleration.py": "law",
        "motions/trajectories/test_formula_trajectory.py": "smooth",
        "queries/in_short/test_convexes.py": "short_rows",
        "queries/in_short/test_robots.py": "short_joints",
        "queries/in_short/test_points.py": "standing_rows",
    },
    "motions/trajectories": {
        "motions/trajectories/test_formula_trajectory.py": "formula_states several_trajectories smooth_rows",
        "motions/trajectories/test_spline.py": "polynomials spline_trajectory trajectory turn_polynomials",
    },
    "narrowphase/convex": {
        "narrowphase/convex/test_penetration_descent.py": "difference",
        "narrowphase/convex/test_point_shapes.py": "point_ellipsoid",
        "queries/test_contact_intervals.py": "overlap_depth",
        "rigid/convex/test_compared_first.py": "swept_cores",
        "rigid/convex/test_convex_mesh_steps.py": "shape_travel",
    },
    "narrowphase/elementary": {
        "narrowphase/elementary/test_elementary_exact.py": (
            "elementary_exact_separation elementary_query touch"
        ),
        "narrowphase/elementary/test_elementary_stages.py": "elementary_ccd",
    },
    "narrowphase/features": {
        "proximity/touching/test_polytope_intersections.py": (
            "common_point polytope_faces separating_axis_polytopes verdict"
        ),
        "proximity/tracking/test_walk_tracking.py": "closest_in_features feature_ladder feature_walk",
    },
    "narrowphase/plane": {
        "proximity/plane/test_edge_pairs.py": "meeting_edges",
        "proximity/plane/test_ray_edges.py": "ray_edge",
    },
    "narrowphase/triangles": {
        "proximity/points/test_closest_on_mesh.py": "nearest_on_triangle",
        "proximity/points/test_winding.py": "solid_angle",
        "queries/test_contact_intervals.py": "piercing_depth",
    },
    "proximity/distance": {
        "proximity/distance/test_mesh_distance.py": "closest_pair",
        "queries/in_short/test_convexes.py": "single_distance",
    },
    "proximity/manifolds": {
        "proximity/manifolds/test_convex_manifold.py": "facing_features facing_shape placed_features",
    },
    "proximity/neighbors": {
        "queries/test_neighbors.py": "near_points",
    },
    "proximity/penetration": {
        "proximity/penetration/test_contact_regions.py": (
            "contact_region_labels line_penetration plane_penetration"
        ),
        "queries/test_depths.py": "self_overlap vertex_depths",
    },
    "proximity/plane": {
        "proximity/plane/test_signed_on_edges.py": "sides",
        "queries/kinds/test_planar_penetration.py": "way_out",
        "shapes/test_polygon.py": "rings",
    },
    "proximity/points": {
        "proximity/points/test_closest_on_mesh.py": "point_order",
        "proximity/points/test_signed_on_mesh.py": "pseudonormals",
        "queries/in_short/test_points.py": "single_point",
        "queries/test_signed_distance.py": "signed_on_convex",
    },
    "proximity/rays": {
        "proximity/rays/test_ray_mesh.py": "ray_aims ray_hits ray_waves",
        "queries/in_short/test_convexes.py": "single_ray",
        "queries/test_ray_cast.py": "ray_convex ray_rounded",
    },
    "proximity/touching": {
        "proximity/touching/test_face_crossings.py": "face_leaves face_pairs",
        "proximity/touching/test_touching_places.py": "contact_rows feature_candidates feature_contacts",
        "queries/test_contact_intervals.py": "firm_depths",
    },
    "proximity/tracking": {
        "queries/test_tracker.py": "body_tracking convex_tracking pair_list tracked_poses",
    },
    "queries": {
        "shapes/test_planar.py": "planar_rows",
        "deformable/test_left_out.py": "pair_filters",
        "properties/test_first_contact.py": "first_contact",
        "properties/test_robot_truth.py": "is_free",
        "queries/kinds/test_rigid.py": "batches",
        "queries/test_registry.py": "derived_rows look_up quick refusals row",
        "queries/test_sequence.py": "frames",
        "queries/test_voronoi.py": "voronoi_diagram voronoi_sites",
    },
    "queries/decomposing": {
        "queries/decomposing/test_convex_parts.py": "coacd_process",
        "queries/decomposing/test_parts_deviation.py": "farthest_in_boxes",
        "queries/decomposing/test_sphere_tree.py": "covered covering_cells spheres_deviation",
    },
    "queries/in_short": {
        "queries/in_short/test_convexes.py": "meshes",
        "queries/in_short/test_first.py": "arrivals",
    },
    "queries/kinds": {
        "proximity/plane/test_ray_edges.py": "planar_rays",
        "proximity/plane/test_signed_on_edges.py": "planar_points",
        "queries/kinds/test_near_moving.py": "least_signed",
        "queries/test_near.py": "near_resting signed_pair",
        "queries/kinds/test_planar.py": "planar_normals",
        "deformable/with_rigid/test_convex_deforming_first.py": "convex_deforming",
        "deformable/with_rigid/test_rigid_pieces.py": "mixed",
        "properties/test_first_contact.py": "deforming",
        "properties/test_robot_truth.py": "robot",
        "queries/kinds/test_compound.py": "compound_alone",
        "queries/kinds/test_robot_penetration.py": "robot_alone",
        "queries/test_clearance.py": "rigid_clearance",
        "queries/test_contact_intervals.py": "rigid_intervals",
        "queries/test_distance_of_overlaps.py": "resting",
        "queries/test_tracker.py": "tracking",
    },
    "queries/spread": {
        "queries/test_executor.py": "spread_batch spread_robot spread_things",
    },
    "raster": {
        "queries/test_voronoi.py": "elements feet",
        "raster/test_nearest.py": "element_value grid",
    },
    "rigid": {
        "properties/test_clearance.py": "closest_then descents least_distance pair_kinds",
        "queries/in_short/test_first.py": "mesh_single single_first",
        "queries/kinds/test_planar.py": "plane_proof",
        "queries/test_contact_intervals.py": "depths spans",
    },
    "rigid/algebraic": {
        "rigid/algebraic/test_algebraic_first.py": "exact_motion feature_touch",
    },
    "rigid/convex": {
        "properties/test_convex_first_contact.py": "convex_first convex_proof convex_steps same_direction",
        "queries/in_short/test_convexes.py": "convex_single",
        "rigid/convex/test_compared_first.py": "extruded_first interval_halving",
    },
    "rigid/fields": {
        "queries/in_short/test_fields.py": "field_single",
        "queries/kinds/test_field_first.py": "field_first field_proof",
        "queries/kinds/test_field_intervals.py": "field_spans",
        "queries/kinds/test_field_resting.py": "field_nearest",
        "queries/kinds/test_field_step_contacts.py": "field_every",
    },
    "rigid/interval": {
        "rigid/interval/test_interval_first.py": "interval_search",
    },
    "scalar": {
        "motions/trajectories/test_described.py": "formula_notes",
        "narrowphase/triangles/test_crossing_exact.py": "exact_vectors",
        "scalar/test_formula.py": "formula_codes",
        "scalar/test_jets.py": "interval",
    },
    "scene": {
        "articulated/paths/test_kept_worlds.py": "seen_bodies",
        "scene/test_bodies.py": "body_rows columns shape_numbers",
        "scene/test_crowd.py": "candidates",
        "scene/test_solving.py": "solved",
        "scene/test_manifold_of.py": "manifold_results mesh_manifold",
        "scene/test_plain_moves.py": "pose_pairs",
        "scene/test_scene.py": "made_contacts many_motions results",
        "scene/test_threads.py": "bodies_then state touching",
        "scene/test_throws.py": "row_motions",
    },
    "scene/events": {
        "scene/events/test_with_events.py": (
            "ball_times cells certificates changes contact_place convex_times event_queue "
            "event_table filling heap next_event other_pairs plane_times results settling"
        ),
    },
    "shapes": {
        "queries/in_short/test_convexes.py": "packed_convex",
        "shapes/test_convex.py": "cores",
        "shapes/test_convex_shapes.py": (
            "box capsule cone convex_hull convex_shape cylinder ellipsoid height_field sphere"
        ),
        "shapes/test_moving.py": "movable shape",
    },
    "spreading": {
        "queries/test_executor.py": "batch keeping spread",
        "spreading/test_folder.py": "here question",
        "spreading/test_work.py": "versions",
    },
    "sweeping": {
        "queries/test_swept_volume.py": "snapshots surfaces sweep_prisms sweep_size",
    },
}

# By room, and by file.
THROUGH = {
    room: {name: test for test, names in tests.items() for name in names.split()}
    for room, tests in _BY_TEST.items()
}
