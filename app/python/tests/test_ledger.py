"""tongyu-ledger: summaries, exit statuses, refusals, and the resumption of killed runs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys

import pytest

import tongyu
from tongyu import sm2

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

from tongyu import ledger  # noqa: E402

ENGINES = ["arrow"]
try:
    import duckdb  # noqa: F401

    ENGINES.append("duckdb")
except ImportError:
    pass


def make(path, n=1000, *, bad=(), group=100, seed=4, form="raw"):
    random.seed(seed)
    keys = [sm2.SM2PrivateKey.generate() for _ in range(5)]
    pubs = [k.public_key().public_bytes("point")[1:] for k in keys]
    who = [random.randrange(5) for _ in range(n)]
    msg = [b"entry %d" % i for i in range(n)]
    sig = [keys[w].sign(m, format=form) for w, m in zip(who, msg, strict=True)]
    for i in bad:
        sig[i] = sig[i - 1]
    table = pa.table({
        "row": pa.array([f"r{i}" for i in range(n)]),
        "msg": pa.array(msg, pa.binary()),
        "sig": pa.array(sig, pa.binary()),
        "pub": pa.array([pubs[w] for w in who], pa.binary()).dictionary_encode(),
    })  # fmt: skip
    pq.write_table(table, path, row_group_size=group, compression="zstd")
    return table


def run(*arguments):
    out = subprocess.run(
        [sys.executable, "-P", "-m", "tongyu.ledger", *map(str, arguments)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return out.returncode, out.stdout, out.stderr


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a.parquet"
    make(file, bad=(7, 100, 999))
    return file


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("engine", ENGINES)
def test_summary(path, tmp_path, engine, threads):
    out = tmp_path / "summary.json"
    status, text, err = run(
        "verify", path, "--engine", engine, "--threads", threads, "--summary", out,
        "--bad", tmp_path / "bad", "--columns", "row=row",
    )  # fmt: skip
    assert (status, text) == (1, ""), err
    found = json.loads(out.read_text())
    assert (found["rows"], found["good"], found["bad"]) == (1000, 997, 3)
    assert found["reasons"]["wrong signature"] == 3
    assert (tmp_path / "bad").read_text() == "r7\nr100\nr999\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.parquet", "bad", "summary.json"]


@pytest.mark.parametrize("engine", ENGINES)
def test_folder_and_glob(tmp_path, engine):
    for i in range(3):
        make(tmp_path / f"{i}[x].parquet", 250, group=90, bad=(40,) if i == 1 else (), seed=i)
    for where in (tmp_path, tmp_path / "*.parquet"):
        status, text, err = run("verify", where, "--engine", engine, "--bad", tmp_path / "bad")
        assert status == 1, err
        assert json.loads(text)["rows"] == 750
        assert (tmp_path / "bad").read_text() == "290\n", "rows are counted over all files"
    assert run("verify", tmp_path / "0[[]x].parquet", "--engine", engine)[0] == 0


def test_all_good_and_der(tmp_path):
    make(tmp_path / "a.parquet", 50, form="der")
    assert run("verify", tmp_path / "a.parquet", "--format", "der")[0] == 0
    assert run("verify", tmp_path / "a.parquet")[0] == 1
    assert run("verify", tmp_path / "a.parquet", "--format", "der", "--id", "other")[0] == 1


def test_nulls_are_bad(tmp_path):
    table = make(tmp_path / "a.parquet", 10)
    column = pa.array([None, *table["msg"].to_pylist()[1:]], pa.binary())
    pq.write_table(table.set_column(1, "msg", column), tmp_path / "a.parquet")
    status, text, _ = run("verify", tmp_path / "a.parquet")
    assert status == 1 and json.loads(text)["reasons"]["null"] == 1


def test_every_id_is_one_line(tmp_path):
    """It can be told from every other id, and null from a text."""
    ids = ["a\nb", None, "None", "null", '"x"', "", "r\u2028", "\u540c \u4f59", "c:\\d", "good"]
    table = make(tmp_path / "a.parquet", len(ids), bad=range(len(ids) - 1))
    pq.write_table(table.set_column(0, "row", pa.array(ids)), tmp_path / "a.parquet")
    arguments = ["--columns", "row=row", "--bad", tmp_path / "bad", "--state", tmp_path / "state"]
    for _ in range(2):  # the second time from the state
        assert run("verify", tmp_path / "a.parquet", *arguments)[0] == 1
        lines = (tmp_path / "bad").read_bytes().decode().split("\n")
        assert lines == ['"a\\nb"', "null", "None", '"null"', '"\\"x\\""', '""', '"r\\u2028"',
                         "\u540c \u4f59", "c:\\d", ""]  # fmt: skip


def test_a_state_on_a_full_disk(path, tmp_path):
    """One line names the file and what to do, and the run can be resumed."""
    resource = pytest.importorskip("resource")
    state = tmp_path / "state"
    command = [sys.executable, "-P", "-m", "tongyu.ledger", "verify", path, "--state", state]
    for limit in (10, 300):  # in the first line, and in a later one
        done = subprocess.run(
            command, capture_output=True, text=True,
            preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)),
        )  # fmt: skip
        lines = done.stderr.splitlines()
        assert done.returncode == 3 and len(lines) == 1, done.stderr
        assert f"{state}: File too large: make room" in lines[0] and "resumes" in lines[0]
    assert run("verify", path, "--state", state)[0] == 1


def test_usage(path, tmp_path):
    assert run()[0] == 2
    assert run("verify", path, "--columns", "what=msg")[0] == 2
    assert run("verify", path, "--columns", "id=msg", "--id", "x")[0] == 2
    assert run("verify", path, "--threads", 0)[0] == 2
    assert run("verify", path, "--key", "0123")[0] == 2, "keys have no place here"
    assert run("verify", path, "--family", "mldsa", "--format", "der")[0] == 2
    assert run("verify", "s3://bucket/ledger")[0] == 2
    status, text, _ = run("--version")
    assert (status, text) == (0, f"tongyu-ledger {tongyu.version()}\n")


def test_no_file_is_lost(path, tmp_path):
    """A mistyped option overwrites no file: neither the ledger nor one that is not a state."""
    before = path.read_bytes()
    for what in ("state", "bad", "summary"):
        status, _, err = run("verify", path, f"--{what}", tmp_path / "." / "a.parquet")
        assert status == 2 and "a.parquet" in err
    assert run("verify", path, "--bad", tmp_path / "x", "--summary", tmp_path / "x")[0] == 2
    assert path.read_bytes() == before and not (tmp_path / "x").exists()
    other = tmp_path / "notes"
    for text in (b"notes\n", b'{"tongyu": 1}\n', b"\n", before):
        other.write_bytes(text)
        status, _, err = run("verify", path, "--state", other)
        assert status == 2 and "not a state of tongyu-ledger" in err
        assert other.read_bytes() == text


def test_devices_are_not_replaced(path, tmp_path):
    """A pipe or a device, such as /dev/null, is written to and not replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    assert run("verify", path, "--bad", pipe, "--summary", "/dev/stdout")[:1] == (1,)
    assert reader.communicate(timeout=60)[0] == b"7\n100\n999\n" and pipe.is_fifo()


def test_unfinished_files_are_left_out(tmp_path):
    """As in Spark and Hive: names in a folder that begin with . or _."""
    make(tmp_path / "a.parquet", 10)
    for name in ("_temporary/0/b.parquet", ".c.parquet", "_d.parquet"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"begun")
    (tmp_path / "day=1").mkdir()
    make(tmp_path / "day=1/e.parquet", 10)
    status, text, _ = run("verify", tmp_path)
    assert status == 0 and json.loads(text)["files"] == 2


def test_folders_called_parquet(tmp_path):
    """Spark's output is a folder, often called *.parquet: its files count, not the folder."""
    (tmp_path / "2026.parquet").mkdir()
    make(tmp_path / "2026.parquet/part-0.parquet", 10)
    make(tmp_path / "b.parquet", 10)
    status, text, err = run("verify", tmp_path)
    assert status == 0 and json.loads(text)["files"] == 2, err
    (tmp_path / "c.parquet").symlink_to("none")
    assert run("verify", tmp_path)[0] == 3, "a file that is missing is not left out"


def test_links_to_folders(tmp_path):
    """They are followed, and a loop of links ends: each folder is read once."""
    folder, other = tmp_path / "ledger", tmp_path / "other"
    for where in (folder / "day=1", other / "day=2", other / "_begun"):
        where.mkdir(parents=True)
    make(folder / "day=1/a.parquet", 10)
    make(other / "day=2/b.parquet", 10, bad=(3,))
    make(other / "_begun/c.parquet", 10, bad=(3,))
    (folder / "more").symlink_to(other)
    (folder / "again").symlink_to(folder)
    (folder / "day=1/up").symlink_to("..")
    (other / "same.parquet").symlink_to(other / "day=2")
    status, text, err = run("verify", folder, "--bad", tmp_path / "bad")
    assert status == 1 and json.loads(text)["files"] == 2, err
    assert (tmp_path / "bad").read_text() == "13\n"
    assert ledger.files_of(f"{folder}/") == sorted(ledger.files_of(str(folder)))


def test_globs_at_any_depth(tmp_path, monkeypatch):
    """** stands for folders at any depth, also through links; a file is read once."""
    for name in ("a.parquet", "x/y/b.parquet", "x/spark.parquet/part-0.parquet"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        make(tmp_path / name, 10)
    (tmp_path / "x/notes").write_text("no table")
    (tmp_path / "x/up").symlink_to("..")
    status, text, err = run("verify", tmp_path / "**/*.parquet")
    assert status == 0 and json.loads(text)["files"] == 3, err
    monkeypatch.chdir(tmp_path)
    found = ["x/spark.parquet/part-0.parquet", "x/up/a.parquet", "x/y/b.parquet"]
    assert ledger.files_of("x/**/*.parquet") == found
    assert ledger.files_of("*.parquet") == ["a.parquet"]


def test_a_folder_that_cannot_be_read(tmp_path, monkeypatch):
    make(tmp_path / "a.parquet", 10)
    (tmp_path / "secret").mkdir()
    scandir = os.scandir

    def refused(path):
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(PermissionError, match="secret"):
        ledger.files_of(str(tmp_path))


@pytest.mark.parametrize("engine", ENGINES)
def test_names_of_folders_are_not_data(tmp_path, engine):
    """A folder called msg=..., as Hive names partitions, does not replace the column msg."""
    key = sm2.SM2PrivateKey.generate()
    pub = key.public_key().public_bytes("point")
    table = {"msg": [b"forged"], "sig": [key.sign(b"signed", format="raw")], "pub": [pub]}
    (tmp_path / "msg=signed").mkdir()
    pq.write_table(pa.table(table), tmp_path / "msg=signed/a.parquet")
    for where in (tmp_path, tmp_path / "msg=signed/a.parquet"):
        status, text, err = run("verify", where, "--engine", engine)
        assert status == 1, err
        assert json.loads(text)["reasons"]["wrong signature"] == 1


def test_errors_have_other_statuses(path):
    """Status 1 means that rows are bad; Python's own status for an exception is 1, too."""
    for raised, status in (("MemoryError", 3), ("KeyError", 3), ("KeyboardInterrupt", 130)):
        code = f"""import sys; from tongyu import ledger
def broken(*_): raise {raised}
ledger.verify = broken; sys.exit(ledger.main(["verify", {str(path)!r}]))"""
        done = subprocess.run([sys.executable, "-P", "-c", code], stderr=subprocess.DEVNULL)
        assert done.returncode == status, raised
    hidden = "import sys; sys.modules['pyarrow'] = None; from tongyu.__main__ import ledger"
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{hidden}; sys.exit(ledger())"], stderr=subprocess.PIPE
    )
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"pip" in done.stderr


def test_a_name_of_any_bytes(path):
    done = subprocess.run([sys.executable, "-P", "-m", "tongyu.ledger", "verify", path, "--id",
                           b"\xff"], stdout=subprocess.PIPE, check=False)  # fmt: skip
    assert done.returncode == 1 and json.loads(done.stdout)["bad"] == 1000


@pytest.mark.parametrize("engine", ENGINES)
def test_bad_files(path, tmp_path, engine):
    def refused(where, *words, arguments=()):
        out = tmp_path / "out.json"
        status, text, err = run("verify", where, "--engine", engine, "--summary", out, *arguments)
        assert (status, text) == (3, "") and not out.exists()
        lines = err.strip().splitlines()
        assert len(lines) == 1 and all(w in lines[0] for w in words), err

    refused(tmp_path / "none.parquet", "none.parquet", "no Parquet file")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "no Parquet file")
    refused(
        path, "a.parquet", "no column is called nothing (there are row, msg, sig, pub)",
        arguments=["--columns", "msg=nothing"],
    )
    whole = path.read_bytes()
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(whole[: len(whole) // 2])
    refused(cut, "cut.parquet")
    numbers = tmp_path / "numbers.parquet"
    pq.write_table(pa.table({n: [1, 2] for n in ("msg", "sig", "pub")}), numbers)
    refused(numbers, "numbers.parquet", "column msg", "int64")
    spoilt = tmp_path / "spoilt.parquet"
    spoilt.write_bytes(whole[:200] + bytes(3000) + whole[3200:])
    refused(spoilt, "spoilt.parquet", "msg")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_spoilt_near_its_end(tmp_path, engine):
    """The engine has already returned rows when it notices."""
    file = tmp_path / "late.parquet"
    make(file, 20000, group=2000)
    groups = pq.ParquetFile(file).metadata
    page = groups.row_group(groups.num_row_groups - 1).column(2).data_page_offset
    whole = file.read_bytes()
    file.write_bytes(whole[: page + 60] + bytes(2000) + whole[page + 2060 :])
    status, text, err = run("verify", file, "--engine", engine)
    assert (status, text) == (3, "") and len(err.splitlines()) == 1
    for words in ("late.parquet", "row group ", "columns msg, sig, pub"):
        assert words in err, err


def test_state_that_another_run_uses(path, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    state = tmp_path / "state"
    assert run("verify", path, "--state", state)[0] == 1
    with open(state, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        status, _, err = run("verify", path, "--state", state)
    assert status == 2 and "another run of tongyu-ledger" in err, err
    assert run("verify", path, "--state", state)[0] == 1


def test_columns_that_differ_in_case(path, tmp_path):
    """DuckDB would read MSG, which comes first, instead of msg."""
    table = pq.read_table(path)
    wrong = pa.array([b"other"] * len(table), pa.binary())
    file = tmp_path / "case.parquet"
    pq.write_table(table.add_column(0, "MSG", wrong), file)
    assert run("verify", file, "--engine", "arrow")[0] == 1
    if "duckdb" in ENGINES:
        status, _, err = run("verify", file, "--engine", "duckdb")
        assert status == 3 and "does not tell the columns msg and MSG apart" in err, err


def test_state_of_another_job(path, tmp_path):
    state = tmp_path / "state"
    assert run("verify", path, "--state", state)[0] == 1
    before = state.read_bytes()
    assert run("verify", path, "--state", state)[0] == 1, "all of it is done"
    assert state.read_bytes() == before
    assert run("verify", path, "--state", state, "--id", "x")[0] == 2
    os.utime(path, (1, 1))
    assert run("verify", path, "--state", state)[0] == 2, "the file has changed"
    assert state.read_bytes() == before


@pytest.mark.parametrize("engine", ENGINES)
def test_truncated_states_resume(path, tmp_path, engine):
    """A state truncated anywhere, as by a kill, leads to the same summary."""
    job = ledger.Job([str(path)], {"msg": "msg", "sig": "sig", "pub": "pub"}, "sm2", "raw", None)
    state = tmp_path / "state"
    whole = ledger.verify(job, engine, 1, str(state))
    text = state.read_bytes()
    assert text.count(b"\n") == 11
    for cut in [0, 1, *random.sample(range(len(text)), 12), len(text) - 1, len(text)]:
        state.write_bytes(text[:cut])
        assert ledger.verify(job, engine, 1, str(state)) == whole, cut
        assert state.read_bytes() == text, cut


# A run that kills itself at a random moment after it has recorded one of the first groups. A
# watcher in another process would be too late on a busy machine.
KILLED = """
import os, random, signal, sys, threading
from tongyu import ledger
add, left = ledger.State.add, [random.randint(1, 4)]
def recorded(self, group, found):
    add(self, group, found)
    left[0] -= 1
    if not left[0]:
        me = os.getpid(), signal.SIGKILL
        threading.Timer(random.uniform(0, 0.02), os.kill, me).start()
ledger.State.add = recorded
sys.exit(ledger.main())
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_killed_runs_resume(tmp_path, engine):
    """After ten kills at random moments the summary is that of an uninterrupted run."""
    file, state, out = tmp_path / "a.parquet", tmp_path / "state", tmp_path / "out.json"
    make(file, 6000, bad=(3, 4000), group=60)
    arguments = ["verify", str(file), "--engine", engine, "--state", str(state),
                 "--summary", str(out), "--bad", str(tmp_path / "bad")]  # fmt: skip
    killed = [sys.executable, "-P", "-c", KILLED, *arguments]
    ends = [subprocess.run(killed, stderr=subprocess.DEVNULL).returncode for _ in range(10)]
    assert ends.count(-signal.SIGKILL) >= 3 and set(ends) <= {-signal.SIGKILL, 1}, ends
    assert run(*arguments)[0] == 1
    assert json.loads(out.read_text())["rows"] == 6000
    assert (tmp_path / "bad").read_text() == "3\n4000\n"
    assert run("verify", file, "--engine", engine, "--summary", tmp_path / "again.json")[0] == 1
    assert (tmp_path / "again.json").read_text() == out.read_text()
