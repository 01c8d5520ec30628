"""What the extension module does on this interpreter: python -I module_test.py MODULE."""

import asyncio
import faulthandler
import gc
import importlib.machinery
import importlib.util
import sys
import threading
import unittest
import weakref

# A lost wake hangs; then say where, and end.
faulthandler.dump_traceback_later(40, exit=True)

MODULE = sys.argv.pop()
loader = importlib.machinery.ExtensionFileLoader("benchfleet_wake", MODULE)
wake = importlib.util.module_from_spec(importlib.util.spec_from_loader("benchfleet_wake", loader))
loader.exec_module(wake)

sys.setswitchinterval(1e-4)  # threads that wake each other take turns often

VARIANTS = ("Socket", "Lookup", "Counted")


def stream_type(variant):
    return getattr(wake, variant + "Stream")


class Did:
    """What happened on this thread since it was made."""

    def __init__(self):
        self.before = wake.counters()

    def __getattr__(self, name):
        return wake.counters()[name] - self.before[name]


def in_every_variant(test):
    """Runs `test(self, loop, stream_type, variant)` on a fresh loop for each variant."""

    def run(self):
        for variant in VARIANTS:
            with self.subTest(variant=variant):

                async def main():
                    errors = []
                    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
                    loop = wake.Loop(asyncio.get_running_loop())
                    await test(self, loop, stream_type(variant), variant)
                    gc.collect()
                    self.assertEqual(loop.live(), 0)
                    loop.close()
                    self.assertEqual(errors, [])

                asyncio.run(main())

    return run


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


class ModuleTest(unittest.TestCase):
    @in_every_variant
    async def test_ready_frame_never_parks(self, loop, new_stream, variant):
        stream, did = new_stream(loop), Did()
        stream.write(2**64 - 1)
        self.assertEqual(await stream.read(), 2**64 - 1)
        self.assertEqual((did.parks, did.resumes, did.direct_wakes, did.socket_wakes), (0, 0, 0, 0))
        self.assertEqual(did.lookups, 2 if variant == "Lookup" else 0)

    @in_every_variant
    async def test_woken_from_the_same_thread(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        self.assertEqual(loop.live(), 1)
        did = Did()
        stream.write(5)
        self.assertEqual(loop.live(), 0)
        self.assertEqual(await task, [5])
        remote = variant == "Socket"
        self.assertEqual((did.direct_wakes, did.socket_wakes), (0, 1) if remote else (1, 0))
        self.assertEqual((did.socket_bytes_written, did.socket_bytes_read), (1, 1) if remote else (0, 0))
        self.assertEqual(did.resumes, 1)

    @in_every_variant
    async def test_double_wake_resumes_once(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 2))
        await turns(1)
        did = Did()
        stream.write(5)
        stream.write(6)
        self.assertEqual(await task, [5, 6])
        self.assertEqual(did.resumes, 1)
        self.assertEqual(did.direct_wakes + did.socket_wakes, 1)

    @in_every_variant
    async def test_woken_from_another_thread(self, loop, new_stream, variant):
        stream = new_stream(loop)
        for frame in range(50):
            task = asyncio.ensure_future(self.collect(stream, 1))
            await turns(1)
            thread = threading.Thread(target=stream.write, args=(frame,))
            thread.start()
            self.assertEqual(await task, [frame])
            thread.join()

    @in_every_variant
    async def test_many_frames_from_another_thread(self, loop, new_stream, variant):
        stream = new_stream(loop)
        count = 2000

        def write():
            for frame in range(count):
                while True:
                    try:
                        stream.write(frame)
                        break
                    except BlockingIOError:
                        pass

        thread = threading.Thread(target=write)
        thread.start()
        self.assertEqual(await self.collect(stream, count), list(range(count)))
        thread.join()

    @in_every_variant
    async def test_cancelled_read_is_not_counted_and_loses_no_frame(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        task.cancel()
        await turns(2)
        self.assertTrue(task.cancelled())
        self.assertEqual(loop.live(), 0)
        stream.write(3)
        self.assertEqual(await stream.read(), 3)

    @in_every_variant
    async def test_wake_right_after_cancel(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        task.cancel()
        stream.write(3)  # the future is cancelled already, its reader not yet gone
        await turns(4)
        self.assertTrue(task.cancelled())
        self.assertEqual(await stream.read(), 3)

    @in_every_variant
    async def test_cancel_right_after_wake(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        stream.write(3)
        task.cancel()
        await turns(4)
        self.assertTrue(task.cancelled())
        self.assertEqual(await stream.read(), 3)

    @in_every_variant
    async def test_second_waiting_read_is_refused(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        with self.assertRaisesRegex(RuntimeError, "another read"):
            await stream.read()
        stream.write(1)
        self.assertEqual(await task, [1])

    @in_every_variant
    async def test_stream_that_goes_while_it_is_queued(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        stream.write(1)
        task.cancel()
        del stream
        await turns(4)
        self.assertTrue(task.cancelled())

    @in_every_variant
    async def test_garbage_cycle_with_a_parked_read_is_collected(self, loop, new_stream, variant):
        stream = new_stream(loop)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        task._log_destroy_pending = False
        gone = weakref.ref(task)
        del task, stream
        gc.collect()
        self.assertIsNone(gone())

    @in_every_variant
    async def test_full_stream_refuses(self, loop, new_stream, variant):
        stream = new_stream(loop)
        for frame in range(16):
            stream.write(frame)
        with self.assertRaises(BlockingIOError):
            stream.write(16)

    @in_every_variant
    async def test_handle_calls_look_up_by_the_count(self, loop, new_stream, variant):
        handle = getattr(wake, variant + "Handle")()
        stream = new_stream(loop)
        stream.write(0)
        await stream.read()
        self.assertTrue(loop.polled_here())
        did = Did()
        for _ in range(10):
            handle.call(1)
        self.assertEqual(did.lookups, 10 if variant == "Lookup" else 0)
        task = asyncio.ensure_future(self.collect(stream, 1))
        await turns(1)
        did = Did()
        for _ in range(10):
            handle.call(1)
        self.assertEqual(did.lookups, 0 if variant == "Socket" else 10)
        self.assertEqual(handle.call(5), 25)
        stream.write(0)
        await task

    def test_look_up_that_finds_no_loop_is_the_last(self):
        for variant, expected in (("Socket", 0), ("Lookup", 5), ("Counted", 1)):
            with self.subTest(variant=variant):
                kept = []

                async def main():
                    loop = wake.Loop(asyncio.get_running_loop())
                    stream = stream_type(variant)(loop)
                    read = stream.read()
                    iterator = read.__await__()
                    kept.extend((loop, stream, read, next(iterator)))  # parked, and left so

                asyncio.run(main())
                self.assertEqual(kept[0].live(), 1)
                handle = getattr(wake, variant + "Handle")()
                did = Did()
                for _ in range(5):
                    handle.call(1)
                self.assertEqual(did.lookups, expected)

    def test_wake_after_close_does_nothing(self):
        for variant in VARIANTS:
            with self.subTest(variant=variant):
                kept = []

                async def main():
                    loop = wake.Loop(asyncio.get_running_loop())
                    stream = stream_type(variant)(loop)
                    read = stream.read()
                    kept.extend((stream, read, next(read.__await__())))
                    loop.close()
                    loop.close()
                    with self.assertRaisesRegex(RuntimeError, "closed"):
                        loop.live()
                    with self.assertRaisesRegex(RuntimeError, "closed"):
                        stream_type(variant)(loop)

                asyncio.run(main())
                did = Did()
                kept[0].write(1)
                self.assertEqual(did.socket_bytes_written, 0)

    def test_wrong_arguments(self):
        handle = wake.LookupHandle()
        for call in (
            lambda: handle.call(),
            lambda: handle.call(1, 2),
            lambda: handle.call("1"),
            lambda: wake.LookupHandle(1),
            lambda: wake.LookupStream(),
            lambda: wake.LookupStream(object()),
            lambda: wake.Read(),
            lambda: wake.Loop(),
        ):
            self.assertRaises(TypeError, call)
        self.assertRaises(OverflowError, handle.call, -1)
        self.assertRaises(OverflowError, handle.call, 2**64)
        self.assertRaises(AttributeError, wake.Loop, object())

    @staticmethod
    async def collect(stream, count):
        return [await stream.read() for _ in range(count)]


if __name__ == "__main__":
    unittest.main(argv=["module_test.py"])
