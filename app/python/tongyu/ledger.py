"""tongyu-ledger: check the signatures of a ledger in Parquet files.

    tongyu-ledger verify PATH [--columns msg=MSG,sig=SIG,pub=PUB,id=ID] [--family sm2|mldsa] ...

The work is divided into row groups. Each finished row group is recorded in --state, so that a
killed run can be resumed after the last of them; results are written to temporary files, which are
renamed.
Exit status: 0 every row is good, 1 some are bad (nulls are bad here: a ledger has no unsigned
rows), 2 usage, 3 a file cannot be read or is not such a table.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import json
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from . import arrow
from ._tongyu import Error, version

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

GOOD, BAD, USAGE, IO = 0, 1, 2, 3
STOPPED = 128 + signal.SIGINT
CHUNK = 16384  # rows in memory at a time, for each thread: two batches of the kernel
NAMES = ("msg", "sig", "pub", "id", "row")
"""The names in --columns: id is a signer's name, or a context; row identifies a bad row."""


class Refused(Exception):
    """One line for the user, and the exit status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class Job:
    """The files to check, and how to check them: equal jobs have equal summaries."""

    files: list[str]
    columns: dict[str, str]
    family: str
    format: str
    name: bytes | None

    def names(self) -> list[str]:
        """The columns that are read, each once."""
        return list(dict.fromkeys(self.columns.values()))

    def fingerprint(self) -> str:
        """A hash of all that determines the result, with the sizes and times of the files."""
        stat = [(f, os.stat(f).st_size, os.stat(f).st_mtime_ns) for f in self.files]
        text = repr((stat, sorted(self.columns.items()), self.family, self.format, self.name))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Group:
    """A row group of a file, and how many rows of the ledger come before it."""

    file: str
    index: int
    first: int
    rows: int

    def where(self) -> str:
        return f"{self.file}, row group {self.index}"


# --- Reading ---


def files_of(path: str) -> list[str]:
    """The Parquet files that `path`, a file, a folder or a glob, stands for, in the order of their
    names. Spark's output is a folder, often called *.parquet, which a glob may match, too."""
    if "://" in path:
        raise Refused(USAGE, f"{path}: give a path of this machine, not an address")
    matches = [path] if os.path.exists(path) else glob.glob(path, recursive=True)
    found = [f for m in matches for f in (_files_in(m) if os.path.isdir(m) else [m])]
    if not found:
        raise Refused(IO, f"{path}: no Parquet file is there")
    # ** reaches a file along every link to a folder above it: it is read once, by its shortest
    # name.
    found.sort(key=lambda file: (-len(file), file))
    return sorted({_entry(file): file for file in found}.values())


def _files_in(folder: str) -> Iterator[str]:
    """The Parquet files in a folder, at any depth. Links to folders are followed, each folder is
    read once, and one that cannot be read is an error. Names that begin with . or _ are left out,
    because Spark gives such names to unfinished files. A link that leads nowhere is an error
    later."""
    seen: set[tuple[int, int]] = set()
    for here, folders, files in os.walk(folder, onerror=_raise, followlinks=True):
        this = os.stat(here)
        if (this.st_dev, this.st_ino) in seen:  # links make a loop, or lead to one folder twice
            folders.clear()
            continue
        seen.add((this.st_dev, this.st_ino))
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        for name in files:
            if name[0] not in "._" and fnmatch(name, "*.parquet"):
                yield str(Path(here, name))


def _raise(error: OSError) -> None:
    raise error


def _entry(file: str) -> tuple[int, int, str]:
    """The folder that the file is in, by whatever name, and the file's name there."""
    folder = os.stat(os.path.dirname(file) or ".")
    return folder.st_dev, folder.st_ino, os.path.basename(file)


def groups_of(job: Job) -> list[Group]:
    """All row groups; the schema of every file is checked."""
    groups, first = [], 0
    for file in job.files:
        try:
            meta = pq.read_metadata(file)
            schema = meta.schema.to_arrow_schema()
        except (OSError, pa.ArrowException) as e:
            if isinstance(e, OSError) and e.errno:
                raise Refused(IO, f"{file}: {os.strerror(e.errno)}") from None
            raise Refused(IO, f"{file}: not a whole Parquet file: {_line(e)}") from None
        for name in job.names():
            if name not in schema.names:
                there = ", ".join(schema.names)
                text = f"no column is called {name} (there are {there})"
                raise Refused(IO, f"{file}: {text}: name the columns in --columns")
        for what in ("msg", "sig", "pub", "id"):
            column = job.columns.get(what)
            if column is not None and not arrow._is_bytes(schema.field(column).type):
                kind = schema.field(column).type
                raise Refused(IO, f"{file}, column {column}: {kind} is neither binary nor string")
        for index in range(meta.num_row_groups):
            rows = meta.row_group(index).num_rows
            groups.append(Group(file, index, first, rows))
            first += rows
    return groups


def _line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def check(job: Job, table: Any, where: str, first: int) -> dict[str, Any]:
    """The findings in some rows of the ledger: counts of the verdicts, and the bad rows."""
    c = job.columns
    which: Any = table[c["id"]] if "id" in c else job.name
    try:
        good, counts = arrow.verify_reasons(
            job.family, table[c["msg"]], table[c["sig"]], table[c["pub"]], which, format=job.format
        )
    except (Error, TypeError, pa.ArrowException) as e:
        raise Refused(IO, f"{where}: {_line(e)}") from None
    bad = []
    if counts["good"] < len(table):
        rows = table[c["row"]].to_pylist() if "row" in c else range(first, first + len(table))
        answers = good.to_pylist()
        bad = [_plain(row) for row, answer in zip(rows, answers, strict=True) if answer is not True]
    return {"counts": counts, "bad": bad}


def _plain(row: Any) -> Any:
    """A value of the column of ids, for a line of JSON."""
    if isinstance(row, bytes):
        return row.hex()
    return row if row is None or isinstance(row, (int, str)) else str(row)


def _id_line(row: Any) -> str:
    """One line for a bad row: null, or the id, as a JSON string if it could be misread."""
    if row is None:
        return "null\n"
    text = str(row)
    plain = text.isprintable() and text not in ("", "null") and not text.startswith('"')
    return (text if plain else json.dumps(text)) + "\n"


# --- State: a line of JSON for each finished row group ---


class State:
    """Finished row groups in a file, from which another run of the same job resumes."""

    def __init__(self, path: str | None, job: Job) -> None:
        self.done: dict[str, dict[str, Any]] = {}
        self.file = None
        self.path = path
        if path is None:
            return
        head = {"tongyu-ledger": 1, "job": job.fingerprint()}
        self.file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            _lock(self.file, path)
            whole = self._read(self.file, path, head)
            self.file.seek(whole)
            self.file.truncate()  # removes an unfinished line
        except BaseException:
            self.file.close()
            raise
        if not whole:
            self._write(head)

    def _read(self, file: BinaryIO, path: str, head: dict[str, Any]) -> int:
        """Reads whole lines of this job's state; returns their bytes. Any other file is refused, so
        that a mistyped --state does not destroy it."""
        if not _BEGINS.startswith(file.read(len(_BEGINS))):  # a kill may have left less than that
            raise Refused(USAGE, f"{path}: not a state of tongyu-ledger; it was not changed")
        whole = 0
        file.seek(0)
        for number, line in enumerate(file):
            try:
                entry = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                entry = None
            if entry is None:
                break
            if number == 0 and entry != head:
                raise Refused(
                    USAGE,
                    f"{path}: the state of another job, or its files have changed: remove it",
                )
            if number:
                self.done[entry["group"]] = entry["found"]
            whole += len(line)
        return whole

    def _write(self, entry: dict[str, Any]) -> None:
        if not self.file:
            return
        try:
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as e:
            self.close()
            text = "make room, then run the same command again, and it resumes here"
            raise Refused(IO, f"{self.path}: {e.strerror}: {text}") from None

    def add(self, group: Group, found: dict[str, Any]) -> None:
        key = f"{group.file}:{group.index}"
        self.done[key] = found
        self._write({"group": key, "found": found})

    def has(self, group: Group) -> bool:
        return f"{group.file}:{group.index}" in self.done

    def of(self, group: Group) -> dict[str, Any]:
        return self.done[f"{group.file}:{group.index}"]

    def close(self) -> None:
        if self.file:
            with suppress(OSError):  # it tries again to write a line that _write has reported
                self.file.close()


_BEGINS = b'{"tongyu-ledger": '


def _lock(file: BinaryIO, path: str) -> None:
    """Keeps two runs from writing to one state. The lock ends with the process."""
    if fcntl is None:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refused(USAGE, f"{path}: another run of tongyu-ledger is using this state") from None
    except OSError as e:  # a network disk without locks
        raise Refused(IO, f"{path}: cannot be locked: {e.strerror}") from None


# --- Engines ---


def _checked(job: Job, group: Group, chunks: Iterable[Any], threads: int) -> dict[str, Any]:
    """The findings in a row group that comes in parts, of which a few are in memory at a time."""
    parts: list[dict[str, Any]] = []
    running: deque[Future[dict[str, Any]]] = deque()
    at = group.first
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks:
            running.append(pool.submit(check, job, chunk, group.where(), at))
            at += len(chunk)
            if len(running) > threads:
                parts.append(running.popleft().result())
        parts.extend(future.result() for future in running)
    if at - group.first != group.rows:
        raise Refused(IO, f"{group.where()}: only {at - group.first} of {group.rows} rows found")
    return sum_of(parts)


def by_arrow(job: Job, groups: list[Group], threads: int) -> Iterator[tuple[Group, dict[str, Any]]]:
    """Read with pyarrow."""
    names = job.names()
    for group in groups:
        try:
            with pq.ParquetFile(group.file) as file:
                batches = file.iter_batches(
                    CHUNK, row_groups=[group.index], columns=names, use_threads=False
                )
                yield group, _checked(job, group, batches, threads)
        except (OSError, pa.ArrowException) as e:
            raise Refused(IO, f"{group.where()}, columns {', '.join(names)}: {_line(e)}") from None


def _by_duckdb(
    job: Job, groups: list[Group], threads: int
) -> Iterator[tuple[Group, dict[str, Any]]]:
    """Read by DuckDB, each file once, in its order from the first missing row group on."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET threads={threads}")
    names = job.names()
    listed = ", ".join('"' + n.replace('"', '""') + '"' for n in names)
    # Without hive_partitioning = false a folder called msg=... would replace the column msg.
    options = "file_row_number = true, hive_partitioning = false"
    sql = f"select {listed} from read_parquet(?, {options}) where file_row_number >= ?"
    missing = {g for g in groups}
    for file in dict.fromkeys(g.file for g in groups):
        _refuse_same_names(file, names)
    for file, in_file in groupby(groups_of(job), key=lambda g: g.file):
        all_of_file = list(in_file)
        wanted = [g for g in all_of_file if g in missing]
        if not wanted:
            continue
        start = wanted[0].first - all_of_file[0].first
        cursor = (
            connection.cursor()
        )  # one for each file, since a result is open until it has been read to its end
        group = wanted[0]
        try:
            chunks = _Chunks(cursor.sql(sql, params=[_literal(file), start]).to_arrow_reader(CHUNK))
            for group in all_of_file[all_of_file.index(wanted[0]) :]:
                yield group, _checked(job, group, chunks.take(group.rows), threads)
        except (duckdb.Error, pa.ArrowException, OSError) as e:  # OSError: a stream that breaks off
            # DuckDB reads ahead: the broken part may be in a later row group
            where = f"{file}, from row group {group.index} on, columns {', '.join(names)}"
            raise Refused(IO, f"{where}: {_line(e)}") from None


def _refuse_same_names(file: str, names: list[str]) -> None:
    """Refuses a file in which DuckDB, to which case means nothing, could read another column."""
    for other in pq.read_schema(file).names:
        for name in names:
            if name != other and name.lower() == other.lower():
                raise Refused(
                    IO,
                    f"{file}: DuckDB does not tell the columns {name} and {other} apart: "
                    "use --engine arrow",
                )


class _Chunks:
    """A stream of batches, cut where row groups end."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self.batches = iter(batches)
        self.rest: pa.RecordBatch | None = None

    def take(self, rows: int) -> Iterator[pa.RecordBatch]:
        while rows:
            batch = self.rest if self.rest is not None else next(self.batches, None)
            if batch is None:
                return
            chunk = batch.slice(0, rows)
            self.rest = batch.slice(rows) if len(batch) > rows else None
            rows -= len(chunk)
            yield chunk


def _literal(file: str) -> str:
    """The file's name, quoted so that DuckDB does not take it for a pattern."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in file)


def _by_spark(
    job: Job, groups: list[Group], threads: int
) -> Iterator[tuple[Group, dict[str, Any]]]:
    """Read and checked by Spark, on this machine or a cluster."""
    from ._ledger_spark import by_spark

    return by_spark(job, groups, threads)


Engine = Callable[[Job, list[Group], int], Iterator[tuple[Group, dict[str, Any]]]]
ENGINES: dict[str, Engine] = {"arrow": by_arrow, "duckdb": _by_duckdb, "spark": _by_spark}


# --- The summary ---


def sum_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    counts = {v: sum(p["counts"][v] for p in parts) for v in arrow.VERDICTS}
    return {"counts": counts, "bad": [row for p in parts for row in p["bad"]]}


def _write_file(path: str, text: str) -> None:
    """Write a file by renaming a temporary one, so that it is never incomplete; a device or a pipe,
    such as /dev/stdout, is written to directly."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as e:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise Refused(IO, f"{path}: {e.strerror}") from None


def verify(job: Job, engine: str, threads: int, state_path: str | None) -> dict[str, Any]:
    """The summary of the whole ledger, and its bad rows."""
    groups = groups_of(job)
    state = State(state_path, job)
    try:
        missing = [g for g in groups if not state.has(g)]
        for group, found in ENGINES[engine](job, missing, threads) if missing else ():
            state.add(group, found)
        total = sum_of([state.of(g) for g in groups])
    finally:
        state.close()
    rows = sum(g.rows for g in groups)
    return {
        "rows": rows,
        "good": total["counts"]["good"],
        "bad": rows - total["counts"]["good"],
        "reasons": {k: v for k, v in total["counts"].items() if k != "good"},
        "bad_rows": total["bad"],
    }


def _columns(text: str) -> dict[str, str]:
    columns = {"msg": "msg", "sig": "sig", "pub": "pub"}
    for pair in filter(None, text.split(",")):
        what, _, name = pair.partition("=")
        if what not in NAMES or not name:
            raise Refused(
                USAGE, f"--columns {pair}: write NAME=COLUMN, NAME one of {', '.join(NAMES)}"
            )
        columns[what] = name
    return columns


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tongyu-ledger", description="Check signed ledgers.")
    parser.add_argument("--version", action="version", version=f"tongyu-ledger {version()}")
    verify_ = parser.add_subparsers(dest="verb", required=True).add_parser(
        "verify", help="check every signature of a ledger in Parquet files",
        epilog="Exit status: 0 all rows are good, 1 some are bad, 2 usage, 3 a file cannot be "
        "read.",
    )  # fmt: skip
    verify_.add_argument("path", metavar="PATH", help="Parquet file, folder of them, or glob")
    verify_.add_argument("--columns", default="", help="msg=COLUMN,sig=...,pub=...,id=...,row=...")
    verify_.add_argument("--family", choices=("sm2", "mldsa"), default="sm2",
                         help="family of the signatures (default: sm2)")  # fmt: skip
    verify_.add_argument("--format", choices=("raw", "der"), default="raw",
                         help="format of SM2 signatures (default: raw, r || s)")  # fmt: skip
    verify_.add_argument("--id", help="id of all signers, or context (default: the standard's)")
    verify_.add_argument("--engine", choices=tuple(ENGINES), default="duckdb",
                         help="what reads the files (default: duckdb)")  # fmt: skip
    verify_.add_argument("--threads", type=int, default=os.cpu_count() or 1,
                         help="number of threads (default: one for each CPU)")  # fmt: skip
    verify_.add_argument("--state", help="file from which a killed run can be resumed")
    verify_.add_argument("--bad", help="file for the ids of the bad rows, one per line: null, or "
                         "an id, as a JSON string if it is empty, null, begins with a quotation "
                         "mark, or has a character that is not printable")  # fmt: skip
    verify_.add_argument("--summary", help="file for the summary in JSON (default: stdout)")
    return parser


def _check_outputs(options: argparse.Namespace, files: list[str]) -> None:
    """Refuse outputs that are the same file, or a file of the ledger."""
    taken = {os.path.realpath(file): file for file in files}
    for what in ("state", "bad", "summary"):
        path = getattr(options, what)
        if path is None:
            continue
        if os.path.realpath(path) in taken:
            other = taken[os.path.realpath(path)]
            raise Refused(USAGE, f"--{what} {path}: {other} is the same file")
        taken[os.path.realpath(path)] = f"--{what}"


def _run(options: argparse.Namespace) -> int:
    if options.threads < 1:
        raise Refused(USAGE, "--threads: at least 1")
    if options.family == "mldsa" and options.format == "der":
        raise Refused(USAGE, "--format der: signatures of ML-DSA have one form, raw")
    name = None if options.id is None else os.fsencode(options.id)
    columns = _columns(options.columns)
    if name is not None and "id" in columns:
        raise Refused(USAGE, "--id and a column of ids: give one of the two")
    job = Job(files_of(options.path), columns, options.family, options.format, name)
    _check_outputs(options, job.files)
    start = time.perf_counter(), time.process_time()
    found = verify(job, options.engine, options.threads, options.state)
    bad_rows = found.pop("bad_rows")
    if options.bad:
        _write_file(options.bad, "".join(map(_id_line, bad_rows)))
    text = json.dumps({"family": job.family, "files": len(job.files), **found}, indent=2) + "\n"
    if options.summary:
        _write_file(options.summary, text)
    else:
        sys.stdout.write(text)
    wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
    sys.stderr.write(f"{found['rows']} rows in {wall:.1f} s, {cpu:.1f} s of CPU in this process\n")
    return BAD if found["bad"] else GOOD


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except Refused as e:
        sys.stderr.write(f"tongyu-ledger: {e}\n")
        return e.status
    except OSError as e:
        what = f"{e.filename}: {e.strerror}" if e.filename else _line(e)
        sys.stderr.write(f"tongyu-ledger: {what}\n")
        return IO
    except ImportError as e:
        extra = f"pip install 'tongyu[{options.engine}]', or another --engine"
        sys.stderr.write(f"tongyu-ledger: {e}: {extra}\n")
        return USAGE
    except KeyboardInterrupt:
        sys.stderr.write("tongyu-ledger: stopped\n")
        return STOPPED
    except Exception:  # Python's status for it is 1, that of a ledger with bad rows
        traceback.print_exc()
        return IO


if __name__ == "__main__":
    from tongyu.ledger import main as _main  # not __main__: _ledger_spark has the same classes

    sys.exit(_main())
