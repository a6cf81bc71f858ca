"""Signed distances of an arm as a function that JAX differentiates: gradient descent moves a path off a post.

JAX cannot look into `fc.near`, and need not: the answer has the derivatives. `jax.custom_vjp` hands them on,
so that distances are one term among others of a cost that is written in JAX. Needs `jax`.
"""

import argparse
import importlib.util
from pathlib import Path

import numpy as np

import firstcontact as fc

HERE = np.eye(3)

# Waypoints, the distance to keep, and what a lack of it costs; steps of the descent, and their size.
N, KEPT, WEIGHT, STEPS, RATE = 24, 0.06, 40.0, 400, 0.01


def arm():
    """Two bones that turn in a plane."""
    bone = fc.Capsule(0.04, 0.4).at(([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [0.2, 0, 0]))
    joints = [
        fc.Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1]),
        fc.Joint("elbow", "revolute", "upper", "lower", (HERE, [0.4, 0, 0]), [0, 0, 1]),
    ]
    return fc.Robot({"base": (), "upper": bone, "lower": bone}, joints)


def nearest(robot, world, q):
    """The least signed distance at each configuration, (n,), and its derivatives, (n, dof)."""
    q = np.asarray(q, float)
    found = fc.near(robot.at(q), world, within=10.0)
    order = np.argsort(found.distance, kind="stable")
    rows, first = np.unique(found.rows[order], return_index=True)
    least, slopes = np.zeros(len(q)), np.zeros_like(q)
    least[rows] = found.distance[order[first]]
    slopes[rows] = np.nan_to_num(found.gradient[order[first]])
    return least, slopes


def differentiable(robot, world):
    """`nearest` for JAX: of configurations (n, dof) the least distances, (n,)."""
    import jax

    def ask(q):
        shapes = jax.ShapeDtypeStruct(q.shape[:1], q.dtype), jax.ShapeDtypeStruct(q.shape, q.dtype)
        return jax.pure_callback(lambda at: nearest(robot, world, at), shapes, q)

    distances = jax.custom_vjp(lambda q: ask(q)[0])
    distances.defvjp(ask, lambda slopes, above: (above[:, None] * slopes,))
    return distances


def error(robot, world, q, step=1e-6):
    """The largest difference between JAX's derivatives and differences of distances."""
    import jax

    slopes = jax.grad(lambda q: differentiable(robot, world)(q).sum())(q)
    sides = [
        [nearest(robot, world, q + side * axis)[0] for axis in np.eye(robot.dof)] for side in (step, -step)
    ]
    return np.abs(slopes - np.subtract(*sides).T / (2 * step)).max()


def pulled(robot, world, path):
    """The path with its inner waypoints moved: short, and at a distance from the world."""
    import jax
    import jax.numpy as jnp

    distances = differentiable(robot, world)

    def cost(inner):
        whole = jnp.concatenate([path[:1], inner, path[-1:]])
        lacks = jnp.maximum(KEPT - distances(inner), 0.0)
        return N * jnp.sum(jnp.diff(whole, axis=0) ** 2) / 2 + WEIGHT * jnp.sum(lacks)

    slope, inner = jax.jit(jax.grad(cost)), jnp.array(path[1:-1])
    for i in range(STEPS):
        inner = inner - RATE * (1 - i / STEPS) * slope(inner)
    return np.concatenate([path[:1], inner, path[-1:]])


def draw(robot, world, ways, path):
    """Write a picture: the arm in the plane along both paths, and its distance from the post."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
    times = np.linspace(0.0, 1.0, 201)
    for ax, (name, way) in zip(axes, ways.items(), strict=False):
        for pose in map(robot.link_poses, way):
            bones = [[0, 0], pose["lower"][:2, 3], (pose["lower"] @ [0.4, 0, 0, 1])[:2]]
            ax.plot(*np.transpose(bones), lw=9, solid_capstyle="round", alpha=0.25, color="tab:blue")
        ax.add_patch(plt.Circle(world["post"].pose(0)[:2, 3], world["post"].shape.radius, color="0.2"))
        ax.set(title=name, aspect="equal")
        q = np.array([robot.along(way).motion.configuration(t) for t in times])
        axes[2].plot(times, nearest(robot, world, q)[0], label=name)
    axes[2].axhline(0.0, color="0.5", linewidth=1)
    axes[2].set(title="signed distance from the post", xlabel="time")
    axes[2].legend(frameon=False)
    figure.savefig(path, dpi=100)


def main():
    """Compare derivatives with differences, pull the path, and prove it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    if importlib.util.find_spec("jax") is None:
        print("JAX is missing, and this is about it: python -m pip install jax")
        return
    import jax

    jax.config.update("jax_enable_x64", True)
    robot = arm()
    world = {"post": fc.Sphere(0.07).at((HERE, [0.78, 0.15, 0]))}
    straight = np.linspace([-1.45, 0.9], [0.55, 0.9], N)
    print(f"derivatives and differences differ by at most {error(robot, world, straight):.0e}")
    ways = {"straight": straight, "pulled": pulled(robot, world, straight)}
    for name, way in ways.items():
        found = fc.near(robot.moving(way[:-1], way[1:]), world, within=1.0, tolerance=1e-4)
        print(f"{name}: {found.distance.min():.3f} from the post where it is nearest, or deepest")
    proof = fc.first_contact(robot.along(ways["pulled"]), world).certificate
    print(f"pulled is free: {fc.is_free(robot.along(ways['pulled']), world)}, proven: {bool(proof.verify())}")
    assert fc.is_free(robot.along(ways["pulled"]), world)
    if options.picture:
        draw(robot, world, ways, options.picture)


if __name__ == "__main__":
    main()
