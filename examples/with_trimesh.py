"""A pin goes into a sleeve: how much clearance is there, and how far may it be tilted?

Shows the way from mesh files to an answer and back: trimesh reads, writes and paints the parts, and no
boolean operation is needed to see whether they fit. Lengths are in millimetres.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc

SEAT, TRAVEL = -16.0, 40.0  # height of the pin's tip in the end, and how far it goes down to there


def write_parts(folder):
    """Write two parts as files, as a CAD program would: a sleeve, and a pin with a collar."""
    sleeve = trimesh.creation.annulus(r_min=10.0, r_max=16.0, height=30.0, sections=96)
    shaft = trimesh.creation.cylinder(9.6, sections=96, segment=[[0, 0, 0], [0, 0, 34]])
    collar = trimesh.creation.cylinder(13.0, sections=96, segment=[[0, 0, 34], [0, 0, 38]])
    sleeve.export(folder / "sleeve.stl")
    trimesh.util.concatenate([shaft, collar]).export(folder / "pin.ply")


def insertion(pin, tilt):
    """Straight down into the sleeve, the tip in the middle; several tilts, in degrees, make a batch."""
    turns = Rotation.from_rotvec(np.multiply.outer(tilt, [1, 0, 0]), degrees=True)
    return pin.moving((turns, [0, 0, SEAT + TRAVEL]), (turns, [0, 0, SEAT]))


def painted(resting, face):
    """Give a mesh of trimesh where a thing stands, with a face in red."""
    mesh = trimesh.Trimesh(resting.vertices(0), resting.surface.faces, process=False)
    mesh.visual.face_colors = [190, 190, 200, 255]
    mesh.visual.face_colors[face] = 210, 60, 80, 255
    return mesh


def draw(hit, tilts, depths, path):
    """Write a picture: where a tilted pin gets stuck, and how deep pins go."""
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(10, 4.8), layout="constrained")
    axes = figure.add_subplot(1, 2, 1, projection="3d", elev=30)
    fc.plot(hit, ax=axes, names={"a": "pin", "b": "sleeve"}, ghosts=False)
    axes = figure.add_subplot(1, 2, 2, xlabel="tilt, degrees", ylabel="mm", title="how far down the pin goes")
    axes.plot(tilts, depths, "o-", ms=2.5)
    axes.set(xlim=(0, None), ylim=(0, 1.05 * TRAVEL))
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=100)


def main():
    """Read the parts, ask how they fit, and write what touches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder)

        # Two ways in: the file itself, or a mesh that trimesh has read and perhaps mended.
        sleeve = fc.load(folder / "sleeve.stl")
        loaded = trimesh.load_mesh(folder / "pin.ply")
        print(f"pin: {len(loaded.faces)} faces, watertight: {loaded.is_watertight}")
        pin = fc.Mesh.from_trimesh(loaded)

        seated = fc.distance(pin.at(insertion(pin, 0).pose(1)), sleeve)
        print(f"seated, the clearance is {seated.distance:.3f} mm, at {seated.points_a.round(2)}")

        # On the whole way down, is there always a quarter of a millimetre?
        print("0.25 mm all the way:", not fc.first_contact(insertion(pin, 0), sleeve, min_separation=0.25))

        # Many tilts in one call: how far down does each go?
        tilts = np.linspace(0, 4, 81)
        found = fc.first_contacts(insertion(pin, tilts), sleeve)
        depths = TRAVEL * np.minimum(found.time, 1.0)
        print(f"it goes all the way down up to a tilt of {tilts[~found.hit].max():.2f} degrees")

        hit = fc.first_contact(insertion(pin, 3), sleeve)
        print(f"tilted by 3 degrees, it is stuck after {TRAVEL * hit.time:.2f} mm")
        print(f"  at {hit.points[0].round(2)}, {fc.ContactKind(hit.features[0, 0]).name}")

        # Back to trimesh: both parts as they stand then, what is closest in red, for any viewer of GLB files.
        moved = pin.at(hit.things["a"].pose(hit.time))
        near = fc.distance(moved, sleeve)
        parts = painted(moved, near.faces[0]), painted(sleeve.at(np.eye(4)), near.faces[1])
        trimesh.Scene(parts).export(folder / "stuck.glb")
        print(f"stuck.glb: {(folder / 'stuck.glb').stat().st_size / 1000:.0f} kB")
    if options.picture:
        draw(hit, tilts, depths, options.picture)


if __name__ == "__main__":
    main()
