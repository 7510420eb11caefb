#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --web: connections of another user, who does not know the token, do not keep its owner out, whatever they send, and are closed; a page that
# is open stays open. The same for the metrics, which everybody may ask for.
# @vm no: the kernel has no part in it
# @timeout 120
import ctypes.util, os, re, signal, socket, subprocess, sys, time

dtrace = os.environ["DTRACE"]
scale = float(os.environ.get("TIMEOUT_SCALE", 1))
if os.geteuid():
    print("needs root")
    sys.exit(77)
if not ctypes.util.find_library("microhttpd"):
    print("no libmicrohttpd")
    sys.exit(77)
bad = 0


def complain(text):
    global bad
    bad = 1
    print(text)


STRANGER = 54321  # a user who is not dtrace's
MANY = 600        # connections: more than the server has room for

# What the stranger sends on each connection, and then again and again until the end.
ATTACKS = {
    "nothing": (b"", b""),
    "half a request": (b"GET / HTTP/1.1\r\nHost: ", b""),
    "a byte a while": (b"GET /", b"a"),
    "no token": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", b""),
    "many requests": (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"),
    "another method": (b"POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1000000\r\n\r\n", b"x"),
}


def attack(port, first, again, ready):
    """Holds MANY connections, made again when they are closed, until it is killed."""
    os.setgroups([])
    os.setresgid(STRANGER, STRANGER, STRANGER)
    os.setresuid(STRANGER, STRANGER, STRANGER)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    first, again = (t % port if b"%d" in t else t for t in (first, again))

    def connect():
        s = socket.socket()
        s.settimeout(0.02)
        try:
            s.connect(("127.0.0.1", port))
            s.setblocking(False)
            s.send(first)
        except OSError:
            pass
        return s

    held = [connect() for _ in range(MANY)]
    os.write(ready, b"x")
    while True:
        for i, s in enumerate(held):
            try:
                if again:
                    s.send(again)
                gone = not s.recv(65536)
            except BlockingIOError:
                gone = False
            except OSError:
                gone = True
            if gone:
                s.close()
                held[i] = connect()
        time.sleep(0.05)


class Attack:
    def __init__(self, port, first, again):
        r, w = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            try:
                attack(port, first, again, w)
            finally:
                os._exit(1)
        os.close(w)
        os.read(r, 1)
        os.close(r)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def ask(port, path):
    """The first line of an answer, or why there is none. Like a browser, tries again if the connection is closed before the request is sent:
    hundreds of new ones can come in between if the CPUs are busy."""
    for _ in range(5):
        got = ask_once(port, path)
        if got != "closed" and "Reset" not in got and "BrokenPipe" not in got:
            break
    return got


def ask_once(port, path):
    s = socket.socket()
    s.settimeout(8 * scale)
    got = b""
    try:
        s.connect(("127.0.0.1", port))
        s.send(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % (path, port))
        while piece := s.recv(65536):
            got += piece
    except OSError as e:
        return f"{type(e).__name__} {e}"
    finally:
        s.close()
    return got.split(b"\r\n")[0].decode() or "closed"


class Tracer:
    def __init__(self, *args):
        self.dtrace = subprocess.Popen([dtrace, *args, "-qn", "tick-100ms { @ = count(); }"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.said = b""
        while b"http://" not in self.said or not self.said.endswith(b"\n"):
            piece = os.read(self.dtrace.stderr.fileno(), 4096)
            if not piece:
                complain(f"{args}: {self.said.decode()}")
                sys.exit(1)
            self.said += piece
        port, path = re.search(rb"http://127\.0\.0\.1:(\d+)(/\S*)", self.said).groups()
        self.port, self.path = int(port), path

    def end(self):
        self.dtrace.terminate()
        self.dtrace.wait()


def descriptors(pid):
    """How many sockets the servers of process PID hold."""
    most = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        for child in open(f"/proc/{pid}/task/{task}/children").read().split():
            most = max(most, len(os.listdir(f"/proc/{child}/fd")))
    return most


def closed_after(port, first):
    """Seconds until the server closes a connection that sends FIRST and then a byte a while."""
    s = socket.socket()
    s.connect(("127.0.0.1", port))
    s.setblocking(False)
    began = time.monotonic()
    try:
        s.send(first)
        while time.monotonic() - began < 20 * scale:
            try:
                s.send(b"a")
                if not s.recv(4096):
                    break
            except BlockingIOError:
                time.sleep(0.1)
    except OSError:
        pass
    s.close()
    return time.monotonic() - began


t = Tracer("--web")
# a page that is open before
page = socket.create_connection(("127.0.0.1", t.port))
page.settimeout(20 * scale)
page.send(b"GET %sevents HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (t.path, t.port))
for what, (first, again) in ATTACKS.items():
    a = Attack(t.port, first, again)
    for path, wanted in ((t.path, "HTTP/1.1 200"), (b"/wrong/", "HTTP/1.1 404"), (t.path, "HTTP/1.1 200")):
        got = ask(t.port, path)
        if not got.startswith(wanted):
            complain(f"{what}: the answer is {got}, not {wanted}")
    held = descriptors(t.dtrace.pid)
    if held > 500:
        complain(f"{what}: the server holds {held} descriptors")
    a.end()
    page.setblocking(False)
    try:
        while page.recv(1 << 20):  # what came until now
            pass
        complain(f"{what}: the page that was open is closed")
    except BlockingIOError:
        pass
    page.settimeout(20 * scale)
    try:
        if not page.recv(65536):
            complain(f"{what}: the page that was open is closed")
    except OSError as e:
        complain(f"{what}: the page that was open gets nothing: {e}")
took = closed_after(t.port, b"GET /")
if took > 9 * scale:
    complain(f"a connection that never ends its header is closed after {took:.0f} s")
t.end()
while piece := page.recv(65536):
    last = piece
if b"event: end" not in last:
    complain(f"the page's last event: {last[-80:]}")
page.close()

# the metrics: who asks gets them
t = Tracer("--output=openmetrics:127.0.0.1:0")
for what in ("nothing", "half a request", "a byte a while", "many requests"):
    a = Attack(t.port, *ATTACKS[what])
    got = ask(t.port, t.path)
    if not got.startswith("HTTP/1.1 200"):
        complain(f"metrics, {what}: the answer is {got}")
    a.end()
t.end()
sys.exit(bad)
