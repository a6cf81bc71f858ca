"""Paths of robots against the oracle: never late, none missed, contacts confirmed, free answers proven."""

from dataclasses import replace

import numpy as np
import pytest

import firstcontact as fc
from articulated.random_robots import alone, random_configurations, random_robot, random_scenario
from firstcontact.articulated.paths import path_contacts as paths
from firstcontact.status import Status
from oracles.robot_path import configurations, distances, link_poses, straight
from properties.robot_claims import ask, complaints, named_distance, rounding_of
from samples import sample

METHODS = ("subdivision", "advancement", "interval")
TOLERANCES = (1e-6, 1e-3, 1e-9)

every_method = pytest.mark.parametrize("method", METHODS)


def check(scenario, number, method, finest=1e-3):
    """Hold all claims about a scenario, with and without self-contact, against the oracle."""
    separation = (0.0, 0.0, 0.02)[number % 3]
    for self_contact in (False, True):
        asked = ask(scenario, TOLERANCES[number % 3], separation, self_contact, method=method)
        assert complaints(asked, finest) == [], number
    return asked


@every_method
def test_the_claims_hold(method):
    status = []
    for seed in range(sample(2, of=6)):
        scenario = random_scenario(np.random.default_rng(seed), 5)
        status.extend(check(scenario, seed, method).found.status)
    assert {Status.SEPARATED, Status.CONTACT} <= set(status)  # else it would test little


@pytest.mark.parametrize("method", METHODS[:2])
@pytest.mark.parametrize(("size", "place"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e5)])
def test_the_claims_hold_at_any_size_and_place(method, size, place):
    for seed in range(sample(1, of=3)):
        rng = np.random.default_rng([100, seed])
        check(random_scenario(rng, 4, size, place * np.array([1.0, -2.0, 0.5])), seed, method)


@every_method
def test_the_claims_hold_for_many_turns(method):
    for seed in range(sample(1, of=3)):
        check(random_scenario(np.random.default_rng([200, seed]), 2, turn=30.0), seed, method)


@pytest.mark.slow
@every_method
def test_the_claims_hold_for_many(method):
    for seed in range(1000, 1200):
        turn = (0.7, 0.7, 0.1, 5.0)[seed % 4]
        check(random_scenario(np.random.default_rng(seed), 12, turn=turn), seed, method, finest=1e-5)


def test_links_are_where_the_oracle_has_them():
    for seed in range(sample(3, of=20)):
        rng = np.random.default_rng([300, seed])
        one = random_robot(rng)
        q0, q1 = random_configurations(rng, one.model, 2, turn=3.0)
        found = one.robot.link_poses([q0, q1])
        for name, poses in link_poses(one.model, np.array([q0, q1])).items():
            np.testing.assert_allclose(found[name], poses.astype(float), rtol=0.0, atol=1e-14)
        for t in (0.0, 0.3, 1.0):
            truth = configurations(one.model, straight(q0, q1), np.array([0]), np.array([t]))
            found = one.robot.link_poses(one.robot.moving(q0, q1).motion.configuration(t))
            for name, poses in link_poses(one.model, truth).items():
                np.testing.assert_allclose(found[name], poses[0].astype(float), rtol=0.0, atol=1e-13)


@every_method
def test_both_queries_and_any_number_of_threads_agree(method, monkeypatch):
    for seed in range(sample(1, of=4)):
        scenario = random_scenario(np.random.default_rng([400, seed]), 9)
        asked = ask(scenario, 1e-6, 0.0, True, method=method)
        for worth in (1, 10**9):
            monkeypatch.setattr(paths, "WORTH_A_THREAD", worth)
            again = ask(scenario, 1e-6, 0.0, True, method=method)
            assert bytes_of(again.found) == bytes_of(asked.found)
        options = {"self_contact": True, "tolerance": 1e-6, "method": method}
        is_free = fc.is_free(scenario.moving, scenario.obstacles, **options)
        np.testing.assert_array_equal(is_free, asked.found.time == np.inf)


@every_method
def test_a_batch_answers_as_each_of_its_motions_alone(method):
    for seed in range(sample(1, of=4)):
        scenario = random_scenario(np.random.default_rng([500, seed]), 5)
        whole = ask(scenario, 1e-6, 0.0, True, method=method).found
        for i in range(scenario.n):
            one = alone(scenario, i)
            found = fc.first_contact(
                one.moving, one.obstacles, self_contact=True, tolerance=1e-6, method=method
            )
            assert (found.a, found.b) == (whole.a[i], whole.b[i])
            assert np.float64(found.time).tobytes() == whole.time[i].tobytes()


def test_all_methods_agree():
    for seed in range(sample(2, of=6)):
        scenario = random_scenario(np.random.default_rng([600, seed]), 8)
        one, *others = (ask(scenario, 1e-6, 0.0, True, method=method).found.time for method in METHODS)
        for other in others:
            np.testing.assert_array_equal(one == np.inf, other == np.inf)


def test_free_answers_have_a_proof_and_contacts_a_place():
    n_hits = 0
    for seed in range(sample(3, of=6)):
        scenario = random_scenario(np.random.default_rng([700, seed]), 4)
        asked = ask(scenario, 1e-6, 0.0, True)
        for i, one in enumerate(asked.found):
            assert one.certificate.verify()
            if one:
                n_hits += 1
                assert len(one.points) == len(one.normals) == len(one.features) > 0
                upper = one.time_upper
                near = named_distance(asked, scenario.pairs(True), i, upper) if upper < np.inf else 0.0
                assert near <= rounding_of(scenario.pairs(True))
    assert 0 < n_hits < 24


def test_no_other_proof_holds():
    n_proofs = 0
    for seed in range(6):
        scenario = random_scenario(np.random.default_rng([900, seed]), 4)
        for one in ask(scenario, 1e-6, 0.0, True).found:
            proof = one.certificate
            if proof.end == 1.0 and len(proof) > 0:
                n_proofs += 1
                assert not any(bad.verify() for bad in tampered(proof, scenario))
    assert n_proofs > 3


def tampered(proof, scenario):
    """Proofs with less in them than is needed, or more than is true; and for another robot."""
    k, j = proof.intervals, int(np.argmax(np.diff(proof.intervals.times, axis=1)))
    rest, others = np.delete(np.arange(len(k.pairs)), j), np.flatnonzero(k.pairs != k.pairs[j])
    gaps, travels = k.gaps.copy(), k.travels.copy()
    gaps[j], travels[j] = gaps[j] + 10.0, -1e6
    bad = [k.chosen(rest), k.chosen(others), k._replace(gaps=gaps), k._replace(travels=travels)]
    larger = scenario.one.robot.attach(proof.bodies[0], fc.Sphere(1e3)).at(scenario.path.waypoints[0, 0])
    other = proof.things._replace(robot=larger)
    return [replace(proof, intervals=intervals) for intervals in bad] + [replace(proof, things=other)]


def test_distances_are_those_of_the_closest_parts():
    for seed in range(sample(2, of=6)):
        scenario = random_scenario(np.random.default_rng([800, seed]), 4)
        if scenario.other is not None or scenario.is_moving:
            continue
        q = scenario.path.waypoints[:, 0]
        found = fc.distance(scenario.one.robot.at(q), scenario.obstacles, self_contact=True)
        start = scenario._replace(path=straight(q, q))
        when = np.arange(len(q)), np.zeros(len(q))
        truth = np.min([distances(a, b, *when) for a, b in start.pairs(True)], axis=0, initial=np.inf)
        np.testing.assert_allclose(found.distance, truth, atol=1e-12)
        touches = fc.intersects(scenario.one.robot.at(q), scenario.obstacles, self_contact=True)
        np.testing.assert_array_equal(touches, truth == 0.0)


def bytes_of(found):
    return found.time.tobytes(), found.status.tobytes(), tuple(found.a), tuple(found.b)
