"""Measures one case of the wake suite on this interpreter's asyncio, in this fresh process.

Run as: python -I driver.py --module=/abs/benchfleet_wake.abi3.so --case=C --variant=V
            --iterations=N --batches=N --conditioning_ns=N
Prints one line of JSON. Exit codes: 0 measured, 1 a check failed, 2 wrong arguments.
"""

import asyncio
import gc
import importlib.machinery
import importlib.util
import json
import sys
import time
from itertools import repeat

VARIANTS = {"socket": "Socket", "lookup": "Lookup", "counted": "Counted"}
LIMITS = {
    "iterations": (1, 1_000_000_000),
    "batches": (1, 1000),
    "conditioning_ns": (0, 60_000_000_000),
}


class WrongArgument(Exception):
    pass


class CheckFailed(Exception):
    pass


def check(condition, message):
    if not condition:
        raise CheckFailed(message)


def clock():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Meter:
    """Turns the borders between batches into times: conditioning first, then timed ones.

    The clock is read at borders only. `check_state` runs between the end of one batch and
    the start of the next, in nobody's time.
    """

    def __init__(self, options, wake, check_state):
        self.iterations = options["iterations"]
        self.batches = options["batches"]
        self.conditioning_ns = options["conditioning_ns"]
        self.wake = wake
        self.check_state = check_state
        self.batch_ns = []
        self.operations = 0
        self.started = None
        self.begin = None
        self.before = None
        self.counters = None

    def crossed(self):
        """At each border, the first included. True when the last batch is over."""
        now = clock()
        self.check_state()
        if self.started is None:
            self.started = clock()
            return False
        self.operations += self.iterations
        if self.begin is None:
            if now - self.started < self.conditioning_ns:
                return False
            self.before = self.wake.counters()
        else:
            self.batch_ns.append(now - self.begin)
            if len(self.batch_ns) == self.batches:
                after = self.wake.counters()
                self.counters = {name: after[name] - self.before[name] for name in after}
                return True
        self.begin = clock()
        return False


def call_batches(meter, wake, variant):
    """The same code inside a loop and outside."""
    handle = getattr(wake, VARIANTS[variant] + "Handle")()
    call = handle.call
    iterations = meter.iterations
    last = 0
    while not meter.crossed():
        for _ in repeat(None, iterations):
            last = call(1)
    check(last == meter.operations, f"the handle's value is {last}, expected {meter.operations}")


def outside_loop(options, wake):
    def check_state():
        check(asyncio._get_running_loop() is None, "a loop runs on this thread")
        check(wake.nothing_polled(), "a loop has polled on this thread")

    meter = Meter(options, wake, check_state)
    call_batches(meter, wake, options["variant"])
    return meter


async def hand_over(mine, other, meter):
    """One of two players that hand a frame, their count, back and forth."""
    read, write = mine.read, other.write
    total = 0
    while True:
        frame = await read()
        total += frame
        if frame == meter.border:
            if meter.border == 0 or meter.crossed():
                meter.border = 0
                write(0)
                return total
            meter.border += meter.iterations
        write(frame + 1)


class OneHandOver:
    """The meter of a warm-up: over at its first border."""

    border = 2
    iterations = 1

    def crossed(self):
        return True


async def play(stream_type, loop, meter):
    """Returns the sum of all frames that both players got."""
    first, second = stream_type(loop), stream_type(loop)
    players = asyncio.gather(hand_over(first, second, meter), hand_over(second, first, meter))
    await asyncio.sleep(0)  # both park
    first.write(1)
    return sum(await players)


async def in_loop(options, wake):
    loop = wake.Loop(asyncio.get_running_loop())
    stream_type = getattr(wake, VARIANTS[options["variant"]] + "Stream")
    # A loop that has never polled, or never woken anybody, is not yet what is measured.
    await play(stream_type, loop, OneHandOver())

    def check_state():
        check(asyncio._get_running_loop() is not None, "no loop runs on this thread")
        check(loop.polled_here(), "the loop has not polled on this thread")
        check(loop.live() == live, f"the count of what may wake is {loop.live()}, expected {live}")

    live = 1 if options["case"] == "frame.woken.same_thread" else 0  # there, the other player
    meter = Meter(options, wake, check_state)
    if options["case"] == "handle_call.in_loop":
        call_batches(meter, wake, options["variant"])
    elif options["case"] == "frame.ready":
        await ready_batches(meter, stream_type(loop))
    else:
        # The first two hand-overs see both players parked.
        meter.border = 2
        total = await play(stream_type, loop, meter)
        last = 2 + meter.operations
        check(total == last * (last + 1) // 2, f"the frames' sum is {total}, expected {last * (last + 1) // 2}")
    check(loop.live() == 0, f"at the end the count of what may wake is {loop.live()}")
    loop.close()
    return meter


async def ready_batches(meter, stream):
    write, read = stream.write, stream.read
    iterations = meter.iterations
    total = 0
    while not meter.crossed():
        for frame in range(iterations):
            write(frame)
            total += await read()
    expected = meter.operations // iterations * (iterations * (iterations - 1) // 2)
    check(total == expected, f"the frames' sum is {total}, expected {expected}")


CASES = {
    "handle_call.in_loop": lambda options, wake: asyncio.run(in_loop(options, wake)),
    "handle_call.outside_loop": outside_loop,
    "frame.ready": lambda options, wake: asyncio.run(in_loop(options, wake)),
    "frame.woken.same_thread": lambda options, wake: asyncio.run(in_loop(options, wake)),
}


def parse_number(name, text):
    low, high = LIMITS[name]
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and low <= int(text) <= high):
        raise WrongArgument(f"--{name} must be a number from {low} to {high}, is '{text}'")
    return int(text)


def parse(arguments):
    options = {}
    for argument in arguments:
        name, separator, value = argument.partition("=")
        if not name.startswith("--") or not separator:
            raise WrongArgument(f"'{argument}' is not of the form --name=value")
        name = name[2:]
        if name not in ("module", "case", "variant", *LIMITS):
            raise WrongArgument(f"unknown argument --{name}")
        if name in options:
            raise WrongArgument(f"--{name} is given twice")
        options[name] = parse_number(name, value) if name in LIMITS else value
    for name in ("module", "case", "variant", *LIMITS):
        if name not in options:
            raise WrongArgument(f"--{name} is missing")
    if options["case"] not in CASES:
        raise WrongArgument(f"--case must be one of {', '.join(CASES)}, is '{options['case']}'")
    if options["variant"] not in VARIANTS:
        raise WrongArgument(f"--variant must be one of {', '.join(VARIANTS)}, is '{options['variant']}'")
    return options


def load(path):
    try:
        loader = importlib.machinery.ExtensionFileLoader("benchfleet_wake", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("benchfleet_wake", loader))
        loader.exec_module(module)
        return module
    except ImportError as error:
        raise WrongArgument(f"--module cannot be loaded: {error}") from None


def main(arguments):
    try:
        options = parse(arguments)
        wake = load(options["module"])
        wake.die_with_parent()
        # A collection would land in whichever batch crosses the threshold: its cost depends on
        # what else is alive in the process, and no variant makes more garbage cycles than another.
        gc.collect()
        gc.disable()
        meter = CASES[options["case"]](options, wake)
    except WrongArgument as error:
        print(f"benchfleet wake driver: {error}", file=sys.stderr)
        return 2
    except CheckFailed as error:
        print(f"benchfleet wake driver: {options['case']} {options['variant']}: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"batch_ns": meter.batch_ns, "iterations": meter.iterations, "counters": meter.counters}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
