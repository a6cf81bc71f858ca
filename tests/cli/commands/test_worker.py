"""Commands that let workers answer, and the command that starts one."""

import json
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands import warmup, worker
from firstcontact.cli.main import main
from firstcontact.cli.options.workers import workers


def test_without_an_address_there_are_none():
    with workers(None) as found:
        assert found is None


@pytest.mark.parametrize("error", [ConnectionError, RuntimeError, ChildProcessError])
def test_what_is_wrong_with_them_is_told_in_a_sentence(error, monkeypatch):
    def cluster(where):
        raise error(f"nobody at {where}")

    monkeypatch.setattr(fc, "cluster", cluster)
    with pytest.raises(CommandError, match=r"^nobody at tcp://x$"), workers("tcp://x"):
        pass
    with pytest.raises(CommandError, match=r"^nobody at None$"), workers("here"):
        pass


def test_a_worker_has_its_share_of_the_threads(monkeypatch):
    seen = []

    def run(command, env, check):
        seen.append((command, env))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.delattr(worker.os, "fork")
    monkeypatch.setattr(worker.subprocess, "run", run)
    monkeypatch.setattr(worker.os, "sched_getaffinity", lambda _: range(8), raising=False)
    assert main(["worker", "tcp://127.0.0.1:8786", "--workers", "3", "--host", "127.0.0.1", "--cold"]) == 0
    command, env = seen[0]
    assert command[:3] == [sys.executable, "-m", "distributed.cli.dask_worker"]
    assert command[3:] == [
        *("tcp://127.0.0.1:8786", "--nthreads", "1", "--nworkers", "3", "--no-dashboard"),
        *("--host", "127.0.0.1"),
    ]
    assert env["NUMBA_NUM_THREADS"] == "2"
    assert env["DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"] == "False"


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_worker_is_warm_before_it_takes_tasks_or_says_why_not(is_kept, monkeypatch, capsys):
    seen = []

    def warm(n_variants):
        assert sum(n_variants.values()) > 9
        seen.append("warm")

    def run(command, env, check):
        seen.append("worker")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(warmup, "warm_side_by_side", warm)
    monkeypatch.setattr(warmup, "cache_home", lambda _: "somewhere" if is_kept else None)
    monkeypatch.delattr(worker.os, "fork")
    monkeypatch.setattr(worker.subprocess, "run", run)
    assert main(["worker", "tcp://127.0.0.1:8786"]) == 0
    assert seen == (["warm", "worker"] if is_kept else ["worker"])
    told = (
        r"\d+ variants of the queries ready in" if is_kept else "the first tasks wait for the compiler, since"
    )
    assert re.match(f"^firstcontact worker: {told}", capsys.readouterr().err)


def test_a_worker_needs_its_extra_and_a_number(monkeypatch, capsys):
    monkeypatch.setattr(worker, "find_spec", lambda _: None)
    assert main(["worker", "tcp://127.0.0.1:8786"]) == 2
    assert "pip install 'firstcontact[cluster]'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["worker", "tcp://127.0.0.1:8786", "--workers", "0"])
    assert "there must be a number of 1 or more; received '0'" in capsys.readouterr().err


@pytest.mark.cluster
@pytest.mark.filterwarnings("default")
def test_queries_of_a_file_by_a_worker_that_was_started_so(tmp_path, capsys):
    distributed = pytest.importorskip("distributed")
    start, end = np.random.default_rng(1).random((2, 500, 4, 3))
    np.savez(tmp_path / "queries.npz", start=start, end=end)
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as own:
        words = [sys.executable, "-m", "firstcontact", "worker", own.scheduler_address]
        words += ["--host", "127.0.0.1", "--cold"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True) as process:
            with distributed.Client(own) as client:
                client.wait_for_workers(1, timeout=60)
                threads = client.run(lambda: os.environ["NUMBA_NUM_THREADS"])
            assert list(threads.values()) == [str(len(os.sched_getaffinity(0)))]
            asked = ["elementary", str(tmp_path / "queries.npz"), "--json"]
            assert main([*asked, "--cluster", own.scheduler_address]) == 0
            there = json.loads(capsys.readouterr().out)
            there_bytes = (tmp_path / "queries.contacts.npz").read_bytes()
            press = np.random.default_rng(2).random((6, 9, 3))
            np.savez(tmp_path / "press.npz", vertices=press, faces=np.arange(9).reshape(3, 3))
            frames = ["sequence", str(tmp_path / "press.npz"), "-o", str(tmp_path / "contacts.npz")]
            assert main([*frames, "--cluster", own.scheduler_address]) == 0
            steps = dict(np.load(tmp_path / "contacts.npz"))
            process.terminate()
            process.wait(timeout=60)
            with distributed.Client(own) as client:  # and no process of its own is left behind
                deadline = time.monotonic() + 20
                while client.nthreads() and time.monotonic() < deadline:
                    time.sleep(0.1)
                assert client.nthreads() == {}
    assert main(frames) == 0
    with np.load(tmp_path / "contacts.npz") as one:
        assert one["time"].size > 5
        assert all(one[name].tobytes() == column.tobytes() for name, column in steps.items())
    capsys.readouterr()
    assert main(asked) == 0
    here = json.loads(capsys.readouterr().out)
    assert {**there, "seconds": 0} == {**here, "seconds": 0}
    assert re.match(rb"PK", there_bytes)
    with np.load(tmp_path / "queries.contacts.npz") as one:
        assert one["time"].tobytes() == fc.vertex_face_ccd(start, end).time.tobytes()
