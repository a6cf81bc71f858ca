"""Real schedulers and workers, on this machine: the same bytes, whatever happens to them."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

import firstcontact as fc
from firstcontact.clusters import cluster as module
from firstcontact.clusters.local import threads_of
from firstcontact.clusters.versions import check_versions
from firstcontact.spreading import spread
from queries.every_answer import CUBE
from queries.every_batch import BATCHES, FEW, STONE, assert_same_bytes, poses

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # those of others are theirs

# A scheduler with one worker, in a process of its own.
SCHEDULER = """
if __name__ == "__main__":
    import time
    from distributed import LocalCluster
    own = LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    print(own.scheduler_address, flush=True)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def cluster():
    with fc.cluster(n_workers=2) as found:
        yield found


def is_watched():
    from dask import config

    return config.get("distributed.worker.profile.enabled")


def pids(cluster):
    return cluster.client.run(os.getpid)


@pytest.mark.cluster
@pytest.mark.parametrize("name", FEW)
def test_the_same_bytes_from_processes(name, cluster):
    assert_same_bytes(BATCHES[name](executor=cluster), BATCHES[name]())


@pytest.mark.cluster
def test_the_same_bytes_from_dasks_own_executor_and_client(cluster):
    name = "first_contacts of meshes"
    assert_same_bytes(BATCHES[name](executor=cluster.client.get_executor()), BATCHES[name]())
    with fc.cluster(cluster.client) as again:
        assert_same_bytes(BATCHES[name](executor=again), BATCHES[name]())
    assert cluster.client.status == "running"
    with pytest.raises(TypeError, match=r"give client.get_executor\(\), or fc.cluster\(client\)"):
        BATCHES[name](executor=cluster.client)


@pytest.mark.cluster
def test_the_same_bytes_from_workers_that_are_threads():
    with (
        distributed.LocalCluster(
            n_workers=2, processes=False, threads_per_worker=1, dashboard_address=None
        ) as threads,
        fc.cluster(threads.scheduler_address) as cluster,
    ):
        for name in ("is_free of robots", "contact_intervals"):
            assert_same_bytes(BATCHES[name](executor=cluster), BATCHES[name]())


@pytest.mark.cluster
def test_workers_share_the_cores_and_can_be_watched(cluster):
    assert cluster.n_workers == 2
    assert cluster.most_threads == threads_of(2, len(os.sched_getaffinity(0)))
    assert set(cluster.client.run(is_watched).values()) == {False}  # which would take a part of their time
    assert "NUMBA_NUM_THREADS" not in os.environ  # where the compiler of this process would read it
    assert cluster.dashboard.startswith("http://127.0.0.1:")
    assert repr(cluster).startswith("Cluster(tcp://127.0.0.1:")


def keys_but(before, client, n):
    """Wait until there are n keys more than before, of all that was sent and found."""
    deadline = time.monotonic() + 20
    while len(set(client.who_has()) - before) != n and time.monotonic() < deadline:
        time.sleep(0.1)
    return len(set(client.who_has()) - before)


@pytest.mark.cluster
def test_geometry_is_sent_once_in_a_context_and_let_go_at_its_end(cluster, monkeypatch):
    client, before, sent = cluster.client, set(cluster.client.who_has()), []
    submitted = module._submitted
    monkeypatch.setattr(module, "_submitted", lambda *given: sent.append(given) or submitted(*given))
    with fc.cluster(client) as own:
        for _ in range(3):
            BATCHES["is_free of robots"](executor=own)
        assert len(sent) == 1
        assert keys_but(before, client, 1) == 1
        for name in (*FEW, *FEW):
            BATCHES[name](executor=own)
        n = min(len(FEW), module.N_KEPT)
        assert keys_but(before, client, n) == n
        n_sent = len(sent)
        for _ in range(2):
            fc.contacts(CUBE.deforming(CUBE.vertices, -CUBE.vertices), executor=own)
        assert len(sent) == n_sent + 2  # which nobody will ask about again
        assert keys_but(before, client, n) == n
    assert keys_but(before, client, 0) == 0


@pytest.mark.cluster
def test_what_is_lost_is_sent_again(cluster):
    name = "is_free of robots"
    with fc.cluster(cluster.client) as own:
        BATCHES[name](executor=own)
        (sent,) = own._kept.values()
        sent.cancel()
        assert_same_bytes(BATCHES[name](executor=own), BATCHES[name]())
        assert [one.status for one in own._kept.values()] == ["finished"]


@pytest.mark.cluster
def test_a_worker_that_is_killed_costs_nothing_but_its_time(cluster):
    many = poses(600, 5, 0.7)
    here = fc.penetration(CUBE.at(many), STONE)
    before = pids(cluster)
    threading.Timer(0.7, lambda: os.kill(min(before.values()), signal.SIGKILL)).start()
    assert_same_bytes(fc.penetration(CUBE.at(many), STONE, executor=cluster), here)
    time.sleep(0.8)
    cluster.client.wait_for_workers(2, timeout=60)
    assert set(pids(cluster).values()) != set(before.values())


@pytest.mark.cluster
def test_workers_that_die_all_at_once_and_again_cost_nothing_but_their_time(cluster, monkeypatch):
    """Whoever had the geometry is gone; and of two that die again, Dask gives one up after a while."""
    monkeypatch.setattr(spread, "LATE_SECONDS", 1e9)  # no late copies that would come to the rescue
    many = poses(2000, 5, 0.7)
    here = fc.penetration(CUBE.at(many), STONE)
    with ThreadPoolExecutor(1) as asking:
        found = asking.submit(lambda: fc.penetration(CUBE.at(many), STONE, executor=cluster))
        for wait in (0.4, 1.5):
            time.sleep(wait)
            for pid in cluster.client.run(os.getpid, on_error="ignore").values():
                with suppress(ProcessLookupError, TypeError):
                    os.kill(pid, signal.SIGKILL)
        assert_same_bytes(found.result(timeout=120), here)
    deadline = time.monotonic() + 60
    while cluster.n_workers < 2 and time.monotonic() < deadline:  # which has lost ones started anew
        time.sleep(0.5)
    assert cluster.n_workers == 2


@pytest.mark.cluster
def test_a_row_that_no_worker_survives_is_named(cluster):
    ends = fc.Cluster.submit(cluster, os._exit, 1)
    with pytest.raises(ChildProcessError, match="4 workers ended, one after the other"):
        ends.result(timeout=120)


@pytest.mark.cluster
def test_other_versions_are_refused_in_a_sentence(cluster, monkeypatch):
    class Client:
        def nthreads(self):
            return {"tcp://one": 1}

        def get_versions(self, packages):
            own = dict.fromkeys(packages, "1.0")
            return {
                "client": {"packages": own},
                "workers": {"tcp://one": {"packages": own | {"numba": "0.1"}}},
            }

    with pytest.raises(RuntimeError, match=r"tcp://one has 0.1 of numba, and 1.0 is here: install the same$"):
        check_versions(Client(), set())
    check_versions(Client(), {"tcp://one"})


@pytest.mark.cluster
def test_a_scheduler_that_goes_away_is_told():
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        with fc.cluster(address) as cluster:
            worker = next(iter(pids(cluster).values()))
            threading.Timer(1.0, process.kill).start()
            many = poses(20_000, 5, 0.7)
            with pytest.raises(ConnectionError, match=r"scheduler of .* (does not answer|has gone)"):
                fc.penetration(CUBE.at(many), STONE, executor=cluster)
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def test_nobody_at_the_address(monkeypatch):
    monkeypatch.setattr("firstcontact.clusters.local.TIMEOUT", 1)
    with pytest.raises(ConnectionError, match=r"no scheduler answers at 'tcp://127.0.0.1:1' within 1 s"):
        fc.cluster("tcp://127.0.0.1:1")


def test_what_is_no_cluster_is_refused():
    with pytest.raises(TypeError, match="where must be the address of a scheduler, or a Client; received 4"):
        fc.cluster(4)
    with pytest.raises(ValueError, match="n_workers is for workers on this machine"):
        fc.cluster("tcp://127.0.0.1:1", n_workers=2)
    with pytest.raises(ValueError, match="n_workers must be an integer"):
        fc.cluster(n_workers=0)


def test_a_missing_extra_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(fc.MissingExtraError, match=r"pip install 'firstcontact\[cluster\]'"):
        module.cluster()


def test_threads_are_shared():
    assert [threads_of(1, 8), threads_of(2, 8), threads_of(3, 8), threads_of(16, 8)] == [8, 4, 2, 1]
