"""tongyu.spark, and tongyu-ledger with the engine spark: results equal those of tongyu.arrow; keys
appear in no plan and no event log; a killed run resumes; workers import tongyu from a packed
environment."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pandas")
pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

import pyarrow.parquet as pq  # noqa: E402
from pyspark.serializers import CloudPickleSerializer  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from test_ledger import make  # noqa: E402

import tongyu  # noqa: E402
from tongyu import arrow as ta  # noqa: E402
from tongyu import ledger, sm2  # noqa: E402
from tongyu import spark as ts  # noqa: E402

KEYS = {"sent": bytes(range(1, 17)), "other": bytes(range(2, 18))}
ON_FILE = bytes(range(101, 117))
SIGNER = sm2.SM2PrivateKey.generate()
N = 3000
LOCAL = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
         "spark.driver.host": "127.0.0.1", "spark.ui.showConsoleProgress": "false",
         "spark.sql.shuffle.partitions": "2"}  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    return tmp_path_factory.mktemp("events")


@pytest.fixture(scope="module")
def spark(logs):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        SparkSession.builder.master("local[2]").config(map=LOCAL)
        .config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", str(logs))
        .config("spark.eventLog.compress", "false").getOrCreate()
    )  # fmt: skip
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    random.seed(3)
    keys = [sm2.SM2PrivateKey.generate() for _ in range(5)]
    pubs = [k.public_key().public_bytes("point") for k in keys]
    who = [random.randrange(5) for _ in range(N)]
    msg = [os.urandom(i % 90) for i in range(N)]
    raw = sm2.sign_many([keys[w] for w in who], msg)
    sig = [bytes(64) if i % 97 == 0 else bytes(raw[64 * i : 64 * i + 64]) for i in range(N)]
    return pa.table({
        "id": pa.array(range(N), pa.int64()),
        "msg": pa.array([m if i % 50 else None for i, m in enumerate(msg)], pa.binary()),
        "sig": pa.array(sig, pa.binary()),
        "pub": pa.array([pubs[w] for w in who], pa.binary()),
    })  # fmt: skip


@pytest.fixture(scope="module")
def frame(spark, table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    pq.write_table(table, folder / "t.parquet", row_group_size=700, compression="zstd")
    key = folder / "key"
    key.write_bytes(ON_FILE)
    files = {"file": key, "gone": folder / "gone"}
    ts.register(spark, keys={**KEYS, **files, "signer": SIGNER.scalar()})
    frame = spark.read.parquet(str(folder / "t.parquet"))
    frame.createOrReplaceTempView("t")
    return frame


def column(spark, sql):
    rows = spark.sql(f"select id, {sql} as x from t").collect()
    return [None if r["x"] is None else r["x"] if isinstance(r["x"], bool) else bytes(r["x"])
            for r in sorted(rows, key=lambda r: r["id"])]  # fmt: skip


def test_functions(spark, frame, table):
    msg = table["msg"]
    rows = spark.sql("""select id, sm3(msg) a, sm3_hmac(msg, 'sent') b, sm3_hmac(msg, 'file') c,
        sm2_verify(msg, sig, pub) d, sm2_verify_id(msg, sig, pub, binary('x')) e
        from t order by id""")
    found = rows.toArrow()
    assert found["a"].to_pylist() == ta.sm3(msg).to_pylist()
    assert found["b"].to_pylist() == ta.hmac_sm3(msg, KEYS["sent"]).to_pylist()
    assert found["c"].to_pylist() == ta.hmac_sm3(msg, ON_FILE).to_pylist()
    want = ta.sm2_verify(msg, table["sig"], table["pub"]).to_pylist()
    assert True in want and False in want and None in want
    assert found["d"].to_pylist() == want
    assert True not in found["e"].to_pylist()


def test_encryption(spark, frame, table):
    frame.selectExpr(
        "id", "msg", "sm4_gcm_encrypt(msg, 'sent', binary('t.msg')) as a",
        "sm4_gcm_siv_encrypt(msg, 'file', binary('')) as b",
        "sm4_gcm_encrypt_unique(msg, 'sent', binary(''), binary(string(id))) as c",
    ).persist().createOrReplaceTempView("sealed")  # fmt: skip
    found = spark.sql("""select sm4_gcm_decrypt(a, 'sent', binary('t.msg')) a,
        sm4_gcm_siv_decrypt(b, 'file', binary('')) b, sm4_gcm_decrypt(c, 'sent', binary('')) c,
        sm4_gcm_decrypt(a, 'other', binary('t.msg')) d,
        sm4_gcm_decrypt(sm4_reencrypt(a, 'sent', 'other', binary('t.msg')),
            'other', binary('t.msg')) e,
        a as sealed from sealed order by id""").toArrow()
    want = table["msg"].to_pylist()
    assert [found[c].to_pylist() == want for c in "abce"] == [True] * 4
    assert found["d"].null_count == N, "the wrong key gives nulls"
    nonces = {s[:12] for s in found["sealed"].to_pylist() if s is not None}
    assert len(nonces) == N - table["msg"].null_count


def test_sign(spark, frame, table):
    sig = pa.array(column(spark, "sm2_sign(msg, 'signer')"), pa.binary())
    pub = pa.array([SIGNER.public_key().public_bytes("point")] * N)
    good = ta.sm2_verify(table["msg"].combine_chunks(), sig, pub)
    assert good.to_pylist() == [None if m is None else True for m in table["msg"].to_pylist()]


def test_refusals(spark, frame):
    for sql, message in [
        ("sm3_hmac(msg, 'nobody')", "no key is called 'nobody'"),
        ("sm3_hmac(msg, 'gone')", "No such file"),
        ("sm3_hmac(msg, if(id = 7, 'sent', 'other'))", "one constant"),
    ]:
        with pytest.raises(Exception, match=message):
            column(spark, sql)
    with pytest.raises(tongyu.TextError, match="the key 'k'"):
        ts.register(spark, keys={"k": "/etc/keys/k"})
    with pytest.raises(TypeError, match="the key 'k'"):
        ts.register(spark, keys={"k": 16})
    with pytest.raises(ValueError, match="errors"):
        ts.register(spark, errors="stop")
    with pytest.raises(tongyu.Error, match="no column is called nothing"):
        ts.verify(frame, msg="nothing")
    with pytest.raises(tongyu.Error, match="called msg already"):
        ts.verify(frame, good="msg")


def test_verify(spark, frame, table):
    found = ts.verify(frame, good="ok").orderBy("id").toArrow()
    assert found.schema.names == ["id", "msg", "sig", "pub", "ok"]
    want = ta.sm2_verify(table["msg"], table["sig"], table["pub"]).to_pylist()
    assert found["ok"].to_pylist() == want
    assert found["msg"].to_pylist() == table["msg"].to_pylist()
    assert ts.verify(frame, id=b"other").where("good").count() == 0


def forms(key):
    """The forms in which a key could appear in a plan or a log."""
    numbers = str(list(key))[1:-1]
    return [key, key.hex().encode(), key.hex().upper().encode(), base64.b64encode(key)[:20],
            numbers.encode(), numbers.replace(" ", "").encode()]  # fmt: skip


def test_keys_are_in_no_plan_and_no_log(spark, frame, logs):
    query = spark.sql("select sm3_hmac(msg, 'sent') a, sm3_hmac(msg, 'file') b from t")
    plan = query._jdf.queryExecution().toString().encode()
    query.collect()
    end = time.monotonic() + 30
    while time.monotonic() < end:  # another thread writes the log
        log = b"".join(p.read_bytes() for p in logs.rglob("*") if p.is_file())
        if log.count(b"sm3_hmac") > 1:
            break
        time.sleep(0.2)
    assert b"sm3_hmac" in log and b"sm3_hmac" in plan
    held = ts._Keys(spark.sparkContext, KEYS)
    sent = CloudPickleSerializer().dumps(ts._worker("sm3_hmac", held, "null"))
    assert held.sent.value == KEYS and b"sm3_hmac" in sent
    for text in (log, plan, sent):
        assert not [f for key in (KEYS["sent"], ON_FILE) for f in forms(key) if f in text]


def run(*arguments):
    return ledger.main(["verify", *map(str, arguments), "--engine", "spark", "--threads", "2"])


def test_ledger(spark, tmp_path, capfd):
    for i in range(3):
        make(tmp_path / f"{i}[x]% y.parquet", 500, group=90, bad=(40, 41) if i == 1 else (), seed=i)
    answers = []
    for engine in ("arrow", "spark"):
        status = ledger.main(["verify", str(tmp_path), "--engine", engine, "--bad",
                              str(tmp_path / "bad"), "--columns", "row=row"])  # fmt: skip
        answers.append((status, capfd.readouterr().out, (tmp_path / "bad").read_text()))
    assert answers[0] == answers[1] and answers[0][0] == 1
    assert answers[0][2] == "r40\nr41\n"
    assert json.loads(answers[0][1])["rows"] == 1500
    assert run(tmp_path / "0*.parquet", "--id", "1234567812345678") == 0


def test_ledger_refuses(spark, tmp_path, capfd):
    make(tmp_path / "a.parquet", 500, group=90)
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(whole[:200] + bytes(3000) + whole[3200:])
    out = tmp_path / "out.json"
    assert run(tmp_path / "a.parquet", "--summary", out) == 3
    assert not out.exists()
    lines = [x for x in capfd.readouterr().err.splitlines() if x.startswith("tongyu-ledger: ")]
    assert len(lines) == 1 and "msg" in lines[0] and "a.parquet" in lines[0]
    assert run(tmp_path / "none.parquet") == 3
    make(tmp_path / "b.parquet", 10)
    assert run(tmp_path / "b.parquet", "--columns", "msg=nothing") == 3


def test_truncated_states_resume(spark, tmp_path):
    make(tmp_path / "a.parquet", 1000, group=100, bad=(7, 999))
    job = ledger.Job([str(tmp_path / "a.parquet")], {k: k for k in ("msg", "sig", "pub")},
                     "sm2", "raw", None)  # fmt: skip
    state = tmp_path / "state"
    whole = ledger.verify(job, "spark", 2, str(state))
    assert whole == ledger.verify(job, "arrow", 1, None) and whole["bad_rows"] == [7, 999]
    text = state.read_bytes()
    assert text.count(b"\n") == 11
    for cut in [0, *random.sample(range(len(text)), 4), len(text)]:
        state.write_bytes(text[:cut])
        assert ledger.verify(job, "spark", 2, str(state)) == whole, cut
        assert sorted(state.read_bytes().splitlines()) == sorted(text.splitlines()), cut


def test_groups_are_recorded_when_finished(spark, tmp_path):
    """Row groups are recorded as they finish, not only when the job ends: a kill loses none."""
    make(tmp_path / "a.parquet", 3000, group=60)
    job = ledger.Job([str(tmp_path / "a.parquet")], {k: k for k in ("msg", "sig", "pub")},
                     "sm2", "raw", None)  # fmt: skip
    groups = ledger.groups_of(job)
    found = ledger.ENGINES["spark"](job, groups, 2)
    first, _ = next(found)
    running = spark.sparkContext.statusTracker().getActiveStageIds()
    rest = [group for group, _ in found]
    assert running and sorted([first.index, *(g.index for g in rest)]) == list(range(50))


@pytest.mark.slow
def test_killed_runs_resume(tmp_path):
    """After ten kills at random moments the summary is that of an uninterrupted run."""
    file, state, out = tmp_path / "a.parquet", tmp_path / "state", tmp_path / "out.json"
    make(file, 6000, bad=(3, 4000), group=60)
    command = [sys.executable, "-P", "-m", "tongyu.ledger", "verify", str(file),
               "--engine", "spark", "--threads", "2", "--state", str(state),
               "--summary", str(out), "--bad", str(tmp_path / "bad")]  # fmt: skip
    killed = groups = 0
    for _ in range(30):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            lines = state.read_bytes().count(b"\n") if state.exists() else 0
            if killed < 10 and lines > groups:
                time.sleep(random.uniform(0, 0.05))
                process.send_signal(signal.SIGKILL)
                groups, killed = lines, killed + 1
                break
            time.sleep(0.002)
        if process.wait() >= 0:
            break
    assert process.returncode == 1 and killed == 10
    assert json.loads(out.read_text())["rows"] == 6000
    assert (tmp_path / "bad").read_text() == "3\n4000\n"
    again = tmp_path / "again.json"
    assert ledger.main(["verify", str(file), "--engine", "arrow", "--summary", str(again)]) == 1
    assert again.read_text() == out.read_text()


ARCHIVE_JOB = """
import sys
from pyspark.sql import SparkSession
import pyarrow as pa
spark = SparkSession.builder.getOrCreate()
def where(batches):
    import tongyu
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"path": [tongyu.__file__] * len(batch)})
paths = {r.path for r in spark.range(10).mapInArrow(where, "path string").collect()}
from tongyu import spark as ts
good = ts.verify(spark.read.parquet(sys.argv[1])).where("good").count()
print("RESULT", good, *paths)
"""


@pytest.mark.slow
def test_archives(tmp_path):
    """Executors in separate processes import tongyu from a packed environment sent by Spark."""
    pack = shutil.which("venv-pack", path=os.path.dirname(sys.executable))
    if pack is None:
        pytest.skip("no venv-pack")
    make(tmp_path / "a.parquet", 500, bad=(3,))
    (tmp_path / "job.py").write_text(ARCHIVE_JOB)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    site = next((tmp_path / "env/lib").glob("python*/site-packages"))
    packages = Path(pa.__file__).parents[1]
    wanted = ["tongyu", "pyarrow", "pandas", "numpy", "numpy.libs", "pandas.libs", "pyarrow.libs",
              "dateutil", "pytz", "tzdata", "six.py"]  # fmt: skip
    for name in wanted:
        if (packages / name).is_dir():
            shutil.copytree(packages / name, site / name, ignore=shutil.ignore_patterns("tests"))
        elif (packages / name).exists():
            shutil.copy(packages / name, site / name)
    shutil.copytree(Path(tongyu.__file__).parent, site / "tongyu", dirs_exist_ok=True)
    packed = tmp_path / "env.tar.gz"
    subprocess.run([pack, "-q", "-p", tmp_path / "env", "-o", packed, "--compress-level", "1"],
                   check=True)  # fmt: skip
    conf = [w for k, v in LOCAL.items() if "Address" not in k for w in ("--conf", f"{k}={v}")]
    submit = Path(__import__("pyspark").__file__).parent / "bin/spark-submit"
    env = {**os.environ, "PYSPARK_PYTHON": "./environment/bin/python",
           "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}  # fmt: skip
    done = subprocess.run(
        [submit, "--master", "local-cluster[1,1,1024]", *conf, "--archives",
         f"{packed}#environment", tmp_path / "job.py", str(tmp_path / "a.parquet")],
        capture_output=True, text=True, check=False, cwd=tmp_path, env=env,
    )  # fmt: skip
    result = [x for x in done.stdout.splitlines() if x.startswith("RESULT")]
    assert result, done.stderr[-3000:]
    _, good, *paths = result[0].split()
    assert good == "499" and paths
    assert all("/environment/lib/" in p for p in paths), "tongyu was not imported from the archive"
