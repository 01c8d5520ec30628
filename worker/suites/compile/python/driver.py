"""Runs one pass of the compile suite by one of CPython's own ways, in this fresh process.

Run as: python -I driver.py --strategy=S --limit=N --commands=PATH --records=PATH
Both files are described in worker/suites/compile/pass/pass_files.h. Prints nothing on success.
Exit codes: 0 all launched and reaped, 1 the pass could not be carried out, 2 wrong arguments.
"""

import asyncio
import contextlib
import mmap
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

UNSET = -1_000_000_000_000
NUMBER_BYTES = 8
HEADER_NUMBERS = 8
RECORD_NUMBERS = 8
# Places in the header and in a record.
CHILDREN_CPU, OWN_CPU = range(2)
LAUNCH, LAUNCHED, END, STATUS, LAUNCH_ERRNO, CPU, HELPER_CPU = range(7)

MAX_COMPILE_FILE_BYTES = 16 << 20
MAX_COMPILES = 16384
MIN_COMPILES = 2
MAX_LIMIT = 256
MAX_ARGUMENTS = 256
MAX_TEXT_BYTES = 64 << 10
MAX_COMMANDS_BYTES = 64 << 20
MAX_RECORDS_BYTES = NUMBER_BYTES * (HEADER_NUMBERS + RECORD_NUMBERS * MAX_COMPILES)

LOG_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC


class WrongArgument(Exception):
    pass


class PassFailed(Exception):
    """The pass cannot be carried out."""


def now_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def own_cpu_ns():
    return time.process_time_ns()


def children_cpu_ns():
    """Of all children this process has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(usage.ru_utime * 1e6) * 1000 + round(usage.ru_stime * 1e6) * 1000


def map_file(path, access, max_bytes):
    """The whole file as a shared mapping; an empty one, or one that is too large, is refused."""
    try:
        with open(path, "rb" if access == mmap.ACCESS_READ else "r+b") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise PassFailed(f"{path}: is empty")
            if size > max_bytes:
                raise PassFailed(f"{path}: has {size} bytes, at most {max_bytes} are read")
            return mmap.mmap(file.fileno(), 0, access=access)
    except OSError as error:
        raise PassFailed(f"{path}: {os.strerror(error.errno)}") from None


def take_compile(content, begin):
    """The texts of the compile that begins there, and where the next one does."""
    texts = []
    while True:
        end = content.find(b"\0", begin)
        if end < 0:
            raise PassFailed("is not ended")
        text = content[begin:end]
        begin = end + 1
        if len(text) > MAX_TEXT_BYTES:
            raise PassFailed(f"has a text of {len(text)} bytes, at most {MAX_TEXT_BYTES} are allowed")
        if not text:
            if len(texts) < 2:
                raise PassFailed("has no program" if texts else "has no log")
            return texts, begin
        if len(texts) == 1 and not text.startswith(b"/"):
            raise PassFailed(f"has the program '{os.fsdecode(text)}', which is no absolute path")
        if len(texts) > MAX_ARGUMENTS:
            raise PassFailed(f"has more than {MAX_ARGUMENTS} arguments")
        texts.append(text)


def read_commands(path):
    """For each compile its log and its argv."""
    with map_file(path, mmap.ACCESS_READ, MAX_COMMANDS_BYTES) as content:
        commands, begin = [], 0
        while begin < len(content):
            if len(commands) == MAX_COMPILES:
                raise PassFailed(f"{path}: has more than {MAX_COMPILES} compiles")
            try:
                (log, *argv), begin = take_compile(content, begin)
            except PassFailed as error:
                raise PassFailed(f"{path}: compile {len(commands)} {error}") from None
            commands.append((log, argv))
    if len(commands) < MIN_COMPILES:
        raise PassFailed(f"{path}: has {len(commands)} compiles, at least {MIN_COMPILES} are needed")
    return commands


def open_records(path, compiles):
    """The numbers of the record file, shared with it and with whatever is forked from here."""
    content = map_file(path, mmap.ACCESS_WRITE, MAX_RECORDS_BYTES)
    expected = NUMBER_BYTES * (HEADER_NUMBERS + RECORD_NUMBERS * compiles)
    if len(content) != expected:
        raise PassFailed(f"{path}: has {len(content)} bytes, must have {expected} for {compiles} compiles")
    return memoryview(content).cast("q")


class Pass:
    """What is to be compiled, and the numbers that tell how it went."""

    def __init__(self, commands_path, records_path):
        self.commands = read_commands(commands_path)
        self.numbers = open_records(records_path, len(self.commands))

    def header(self):
        return self.numbers[:HEADER_NUMBERS]

    def record(self, index):
        begin = HEADER_NUMBERS + RECORD_NUMBERS * index
        return self.numbers[begin : begin + RECORD_NUMBERS]

    def timed(self):
        return range(1, len(self.commands))


@contextlib.contextmanager
def opened_log(path):
    log = os.open(path, LOG_FLAGS, 0o644)
    try:
        yield log
    finally:
        os.close(log)


def not_launched(record, error):
    record[LAUNCHED] = record[END] = now_ns()
    record[LAUNCH_ERRNO] = error.errno


def reaped(record, status):
    record[END] = now_ns()
    record[STATUS] = status


def compile_one(a_pass, index):
    """Launches a compile and waits for it, in the calling thread."""
    log_path, argv = a_pass.commands[index]
    record = a_pass.record(index)
    record[LAUNCH] = now_ns()
    try:
        with opened_log(log_path) as log:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            record[LAUNCHED] = now_ns()
    except OSError as error:
        not_launched(record, error)
        return
    reaped(record, process.wait())


async def compile_one_async(a_pass, index):
    log_path, argv = a_pass.commands[index]
    record = a_pass.record(index)
    record[LAUNCH] = now_ns()
    try:
        with opened_log(log_path) as log:
            process = await asyncio.create_subprocess_exec(
                *argv, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
            record[LAUNCHED] = now_ns()
    except OSError as error:
        not_launched(record, error)
        return
    reaped(record, await process.wait())


class Clock:
    """Charges this process and its children for what happens while it runs."""

    def __enter__(self):
        self.children_ns = children_cpu_ns()
        self.own_ns = own_cpu_ns()
        return self

    def __exit__(self, *unused):
        self.own_ns = own_cpu_ns() - self.own_ns
        self.children_ns = children_cpu_ns() - self.children_ns


def run_asyncio(a_pass, limit):
    async def run():
        semaphore = asyncio.Semaphore(limit)

        async def run_one(index):
            async with semaphore:
                await compile_one_async(a_pass, index)

        await run_one(0)
        with Clock() as clock:
            await asyncio.gather(*(run_one(index) for index in a_pass.timed()))
        return clock

    clock = asyncio.run(run())
    a_pass.header()[CHILDREN_CPU] = clock.children_ns
    a_pass.header()[OWN_CPU] = clock.own_ns


def run_thread_pool(a_pass, limit):
    def run_one(index):
        compile_one(a_pass, index)

    with ThreadPoolExecutor(max_workers=limit) as executor:
        executor.submit(run_one, 0).result()
        with Clock() as clock:
            list(executor.map(run_one, a_pass.timed()))
    a_pass.header()[CHILDREN_CPU] = clock.children_ns
    a_pass.header()[OWN_CPU] = clock.own_ns


class Worker:
    """What a worker process of the pool knows; set before it is forked."""

    a_pass = None
    everybody_there = None
    children_ns = 0
    own_ns = 0


def meet():
    """A task that no worker can finish before each has taken one: then all of them exist."""
    Worker.everybody_there.wait()
    Worker.children_ns = children_cpu_ns()
    Worker.own_ns = own_cpu_ns()


def compile_in_worker(index):
    compile_one(Worker.a_pass, index)
    record = Worker.a_pass.record(index)
    children_ns, own_ns = children_cpu_ns(), own_cpu_ns()
    record[CPU] = children_ns - Worker.children_ns
    # From task to task, so that handing over is in it.
    record[HELPER_CPU] = own_ns - Worker.own_ns
    Worker.children_ns, Worker.own_ns = children_ns, own_ns


def run_process_pool(a_pass, limit):
    context = multiprocessing.get_context("fork")
    Worker.a_pass = a_pass
    Worker.everybody_there = context.Barrier(limit)
    with ProcessPoolExecutor(max_workers=limit, mp_context=context) as executor:
        for meeting in [executor.submit(meet) for _ in range(limit)]:
            meeting.result()
        executor.submit(compile_in_worker, 0).result()
        with Clock() as clock:
            list(executor.map(compile_in_worker, a_pass.timed()))
    helpers_ns = sum(a_pass.record(index)[HELPER_CPU] for index in a_pass.timed())
    a_pass.header()[OWN_CPU] = clock.own_ns + helpers_ns


STRATEGIES = {
    "asyncio": run_asyncio,
    "thread_pool_executor": run_thread_pool,
    "process_pool_executor": run_process_pool,
}
NAMES = ("strategy", "limit", "commands", "records")


def parse_one(name, value):
    if name == "strategy" and value not in STRATEGIES:
        raise WrongArgument(f"--strategy must be one of {', '.join(STRATEGIES)}, is '{value}'")
    if name == "limit":
        if not (value.isascii() and value.isdigit() and len(value) <= 9 and 1 <= int(value) <= MAX_LIMIT):
            raise WrongArgument(f"--limit must be a number from 1 to {MAX_LIMIT}, is '{value}'")
        return int(value)
    if not value:
        raise WrongArgument(f"--{name} must be a path, is ''")
    return value


def parse(arguments):
    options = {}
    for argument in arguments:
        name, separator, value = argument.partition("=")
        if not name.startswith("--") or not separator:
            raise WrongArgument(f"'{argument}' is not of the form --name=value")
        name = name[2:]
        if name not in NAMES:
            raise WrongArgument(f"unknown argument --{name}")
        value = parse_one(name, value)
        if name in options:
            raise WrongArgument(f"--{name} is given twice")
        options[name] = value
    for name in NAMES:
        if name not in options:
            raise WrongArgument(f"--{name} is missing")
    return options


def set_signals():
    """Undoes what we may have inherited, but not what the interpreter did itself: that is
    undone for each compile by subprocess."""
    for number in signal.valid_signals():
        if signal.getsignal(number) == signal.SIG_IGN and number not in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def limit_file_size():
    """For this process and all it starts."""
    soft, hard = (
        MAX_COMPILE_FILE_BYTES if limit == resource.RLIM_INFINITY else min(limit, MAX_COMPILE_FILE_BYTES)
        for limit in resource.getrlimit(resource.RLIMIT_FSIZE)
    )
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def main(arguments):
    try:
        options = parse(arguments)
        set_signals()
        limit_file_size()
        a_pass = Pass(options["commands"], options["records"])
        STRATEGIES[options["strategy"]](a_pass, options["limit"])
    except WrongArgument as error:
        print(f"benchfleet compile driver: {error}", file=sys.stderr)
        return 2
    except (PassFailed, OSError, RuntimeError) as error:  # such as a dead worker, or no thread left
        print(f"benchfleet compile driver: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    exit_code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # The pass is over: to take the interpreter down is no part of it.
    os._exit(exit_code)
