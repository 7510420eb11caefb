# SPDX-License-Identifier: Apache-2.0
"""
Calls getppid(2) in Python code of many shapes.  Just before, faulthandler writes what the frames are, one line each: function,
file, line; a tracer writes what jstack() says at getppid(2).
witness.py SHAPE WITNESS JSON, the file that the tracer writes
"""
import faulthandler
import functools
import os
import json
import sys
import time

out = open(sys.argv[2], "a")


def mark():
    out.write("=\n"); out.flush(); faulthandler.dump_traceback(out, all_threads=False); os.getppid()


def settle():
    """Waits until the tracer knows this process as it is now: a stack at getpgrp(2) is whole, and has Python frames."""
    rest = ""
    with open(sys.argv[3]) as f:
        f.seek(0, 2)
        while True:
            os.getpgrp()
            *lines, rest = (rest + f.read()).split("\n")
            for o in map(json.loads, lines):
                if o.get("function") != "getpgrp" or o.get("pid") != os.getpid():
                    continue
                v = o["items"][0]["values"][0]
                if v.get("complete", True) and any(x.get("object") == "python" for x in v["value"]):
                    return
            time.sleep(0.01)


# ---- calls ----

def plain():
    def inner(n):
        if n:
            return inner(n - 1)
        return (1 +
                2 +
                (mark() or 0))
    inner(3)


def through_c():
    class Key:
        def __lt__(self, other):
            mark()
            return False
    functools.reduce(lambda a, b: sorted([Key(), Key()]), [1, 2])
    [mark() for _ in range(2)]
    max([1, 2], key=lambda i: mark() or i)


def deep():
    def down(n):
        if n == 0:
            mark()
        elif n % 3:
            down(n - 1)
        else:
            sorted([n], key=lambda i: down(i - 1))
    down(12)


def unwinding():
    class Guard:
        def __enter__(self):
            return self

        def __exit__(self, *args):
            mark()
            return True
    with Guard():
        raise ValueError
    try:
        raise KeyError
    except KeyError:
        mark()
    finally:
        mark()


# ---- generators, coroutines ----

def generators():
    def gen(n):
        for i in range(n):
            mark()
            yield i

    def outer():
        yield from gen(2)
        mark()
    list(outer())
    for i in gen(1):
        mark()
    sum(x for x in gen(2))
    g = gen(2)
    next(g)
    next(g)


def coroutines():
    import asyncio

    async def leaf(n):
        await asyncio.sleep(0)
        mark()
        return n

    class Context:
        async def __aenter__(self):
            mark()

        async def __aexit__(self, *args):
            mark()

    async def numbers():
        for i in range(2):
            mark()
            yield i

    async def main():
        settle()  # through the library that asyncio has brought
        async with Context():
            await asyncio.gather(leaf(1), leaf(2))
        async for i in numbers():
            mark()
    asyncio.run(main())


# ---- threads, processes ----

def threads():
    import threading

    def work(event, after):
        event.wait()
        mark()
        after.set()
    events = [threading.Event() for _ in range(6)]
    ts = [threading.Thread(target=work, args=(events[i], events[i + 1])) for i in range(5)]
    for t in ts:
        t.start()
    events[0].set()
    for t in ts:
        t.join()


def inner():
    """In another interpreter; sys.argv[4] is the frames of the first one."""
    def mark_all():
        mark_both()

    def mark_both():
        out.write("=\n"); out.flush(); faulthandler.dump_traceback(out, all_threads=False); outside(); os.getppid()

    def outside():
        out.write(sys.argv[4]); out.flush()
    mark_all()


def subinterpreters():
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    code = "import sys\nsys.argv = %r\nexec(compile(open(%r).read(), %r, 'exec'))\n"
    frame = '  File "%s", line %d in %s\n'
    caller = sys._getframe(1).f_lineno

    def run():
        line = sys._getframe().f_lineno + 3
        outer = frame % (__file__, line, "run") + frame % (__file__, after, "subinterpreters") + frame % (__file__, caller, "<module>")
        argv = ["", "inner", *sys.argv[2:], outer]
        interpreters.run_string(new, code % (argv, __file__, __file__))
    try:  # 3.12 has faulthandler in others that are not isolated
        new = interpreters.create(isolated=False)
    except TypeError:
        new = interpreters.create()
    after = sys._getframe().f_lineno + 1
    run()
    mark()


def fork():
    pid = os.fork()
    if not pid:
        mark()
        os._exit(0)
    os.waitpid(pid, 0)
    mark()


def execs():
    mark()
    os.execv(sys.executable, [sys.executable, "-S", sys.argv[0], "plain", sys.argv[2] + ".2", sys.argv[3]])


# ---- texts ----

def texts():
    scope = {"mark": mark}
    names = ["fünf", "x" + "é" * 30, "функция", "名" * 60, "𐐷𐐸", "x" * 158, "x" * 159, "x" * 160, "x" * 200]
    files = ["é/" * 100 + "füe.py", "ф" * 20 + ".py", "名/" * 100 + "名.py", "d/" * 100 + "end.py", "𐐷" * 39 + ".py", "?"]
    for i in range(max(len(names), len(files))):
        name, file = names[i % len(names)], files[i % len(files)]
        exec(compile("def f():\n\n mark()\n".replace("f()", name + "()"), file, "exec"), scope)
        scope[name]()


# ---- lines ----

def lines():
    scope = {"mark": mark}
    body = ["def f(x):"]
    for i in range(400):
        if i % 3 == 0:
            body += ["  x = ["] + ["   %d," % n for n in range(i % 150)] + ["  x] "]
        elif i % 3 == 1:
            body += [""] * (i % 200)
        if i % 20 == 0:
            body += ["  (mark(),", "   1,", "   mark())", "  for k in range(2):", "    mark(); x = k", "  else: mark()"]
    exec(compile("\n".join(body), "lines.py", "exec"), scope)
    scope["f"](0)
    # a jump over more than a byte of code and of lines
    exec(compile("def g(x):\n if x:\n" + "  x = x + 1\n" * 500 + "  mark()\n" + "\n" * 300 + " else:\n  mark()\n mark()\n",
                 "far.py", "exec"), scope)
    scope["g"](0)
    scope["g"](1)


settle()
globals()[sys.argv[1]]()
