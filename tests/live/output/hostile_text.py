#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Texts of a traced process (its strings, its name and the names of its functions) are data in each output: they add no row, line, metric,
# frame, element or script, and JSON stays valid and complete.
# @needs cc
# @vm no: the text of outputs, the kernel has no part in it
import csv, gzip, html.parser, json, os, re, shutil, socket, subprocess, sys, threading
import xml.etree.ElementTree as xml

if os.geteuid():
    print("needs root")
    sys.exit(77)
bad = 0


def complain(text):
    global bad
    bad = 1
    print(text)


texts = [
    b"a 1 1\ndtrace.injected 5 5\n", b'"} 1\ninjected{a="b', b"x;y;z 7\nmain;injected 9", b"=cmd|' /C calc'!A1", b'q"",1\ninjected,2',
    b"</script><script>window.pwned = 1</script>", b"<img src=x onerror='window.pwned = 1'>", b"]]><script>pwned</script><![CDATA[", b"&lt;&#60;\"'>",
    b"\xff\xfe\xc0\x80", b"half \xe2\x82", b"\xe2\x80\xa8\xe2\x80\xa9", b"\xee\xbf\xbf\xee\xbe\x80", b"\x1b[2J\x07\r\x08\x7f\xc2\x9b", b"\t \t", b"",
    b"\\", b"\\n\\u0000\\", b"../../injected", b"# EOF\n", b"{\"type\":\"end\"}\n", b"%s%n%d$", b"'); DROP TABLE numbers; --", b"\x01\x02\x03\xf4\x90\x80\x80",
]
# the process has a hostile name, and asks for files with these names
with open("asks.py", "wb") as f:
    f.write(b"import ctypes\nc = ctypes.CDLL(None)\nc.prctl(15, b'n\\n;\"<b>\\xff, 1\\x1b', 0, 0, 0)\nfor t in %r:\n    c.access(t, 0)\n" % texts)
# a function with a hostile name in the place of EVIL..., of the same length
names = [b"f;g</script><script>pwned</script>\n1", b"f\"'\\,=<img src=x onerror=p>\xff\x1b[2J\t 1"]
source = "".join('__attribute__((noipa)) void EVIL_%d_%s(void) { __asm__ volatile("mov $110, %%%%eax; syscall" ::: "rax", "rcx", "r11"); }\n'
                 % (i, "x" * (len(n) - 7)) for i, n in enumerate(names))
source += "int main(void) { " + "".join("EVIL_%d_%s(); " % (i, "x" * (len(n) - 7)) for i, n in enumerate(names)) + "return 0; }\n"
open("calls.c", "w").write(source)
subprocess.run(["cc", "-O1", "-fno-omit-frame-pointer", "-o", "calls", "calls.c"], check=True)
program = open("calls", "rb").read()
for i, n in enumerate(names):
    program = program.replace(b"EVIL_%d_" % i + b"x" * (len(n) - 7), n)
open("calls", "wb").write(program)


def trace(command, text, outputs):
    server = socket.create_server(("127.0.0.1", 0))
    got = []

    def receive():
        c, _ = server.accept()
        while data := c.recv(65536):
            got.append(data)

    reader = threading.Thread(target=receive, daemon=True)
    reader.start()
    graphite = [f"--output=graphite:127.0.0.1:{server.getsockname()[1]}"] if "graphite" in outputs else []
    r = subprocess.run([os.environ["DTRACE"], "-q", *graphite, *(f"--output={o}" for o in outputs if o != "graphite"), "-c", command, "-n", text],
                       capture_output=True)
    if r.returncode:
        complain(f"{command}: status {r.returncode}: {r.stderr.decode(errors='replace')}")
    if graphite:
        reader.join(20)
    server.close()
    return b"".join(got)


class Page(html.parser.HTMLParser):
    """Counts elements; nothing of a name may become one."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = {}

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, _ in attrs:
            if name.startswith("on"):
                complain(f"a page has the attribute {name}")


def check_page(name):
    text = open(name, encoding="utf-8").read()
    page = Page()
    page.feed(text)
    if page.tags.get("script") != 2 or "img" in page.tags:
        complain(f"{name}: elements {page.tags}")
    data = re.search(r'id="picture">(.*?)</script>', text, re.S)
    if not data:
        complain(f"{name}: no data")
        return
    json.loads(data[1])


def check_svg(name):
    for e in xml.parse(name).iter():
        tag = e.tag.split("}")[-1]
        if tag not in ("svg", "g", "rect", "text", "title", "style", "path", "line", "clipPath", "tspan", "desc", "use", "defs", "a"):
            complain(f"{name}: element {tag}")


def decoded(text):
    """The bytes of a text, as docs/json.md says."""
    return b"".join(bytes([ord(c) - 0xEF00]) if 0xEF80 <= ord(c) <= 0xEFFF else c.encode() for c in text)


def check_protobuf(name, message, proto):
    """A message of strings that are UTF-8, in which no text has become another field."""
    if not shutil.which("protoc"):
        return ""
    read = os.environ["SRCDIR"] + "/tests/live/output/read"
    data = open(name, "rb").read()
    r = subprocess.run(["protoc", "-I", read, f"--decode={message}", proto], input=gzip.decompress(data) if name.endswith(".gz") else data,
                       capture_output=True)
    if r.returncode or r.stderr or re.search(rb"^ *\d+:", r.stdout, re.M):
        complain(f"{name}: {r.stderr.decode(errors='replace')}")
    return r.stdout.decode()


# ---- strings and the name as keys and in records
sent = trace("/usr/bin/python3 asks.py", """syscall::access:entry, syscall::faccessat:entry /pid == $target && threadname != "python3"/ {
    this->s = copyinstr(probefunc == "access" ? arg0 : arg1); @k[threadname, this->s] = count(); @q[this->s] = quantize(1); trace(this->s); }""",
             ["graphite", "json:o.json", "csv:o.csv", "openmetrics:o.prom", "heatmap:h.html", "perfetto:o.trace"])
lines = [json.loads(line) for line in open("o.json", encoding="utf-8")]
rows = [r for l in lines if l["type"] == "aggregation" and l["aggregations"][0]["name"] == "k" for r in l["rows"]]
keys = sorted(decoded(r["keys"][1]["value"]) for r in rows)
if keys != sorted(texts):
    complain(f"JSON: keys {[k for k in keys if k not in texts]}, not {[t for t in texts if t not in keys]}")
seen = [decoded(l["items"][0]["values"][0]["value"]) for l in lines if l["type"] == "record" and l.get("items")]
if seen != texts:
    complain(f"JSON: records {seen}")
if lines[-1]["type"] != "end" or sum(l["type"] == "end" for l in lines) != 1:
    complain("JSON: the end")
with open("o.csv", newline="", encoding="utf-8", errors="surrogateescape") as f:
    table = [r for r in csv.reader(f) if r and r[0] == "k"]
keys = sorted(r[2].encode(errors="surrogateescape") for r in table)
if keys != sorted(texts) or any(len(r) != 4 or r[3] != "1" for r in table):
    complain(f"CSV: {table}")
label = r'[a-z0-9]+="(?:[^"\\\n]|\\["\\n])*"'
for line in open("o.prom", encoding="utf-8", newline="\n"):
    if not re.fullmatch(rf"# (TYPE|HELP|UNIT) dtrace_[kq] .*\n|dtrace_(k_total|q_bucket)\{{{label}(,{label})*\}} \d+\n|# EOF\n?", line):
        complain(f"openmetrics: {line!r}")
if sum(line.startswith("dtrace_k_total{") for line in open("o.prom", encoding="utf-8", newline="\n")) != len(texts):
    complain("openmetrics: another number of metrics")
lines = sent.decode("ascii").splitlines()
for line in lines:
    if not re.fullmatch(r"dtrace\.(k(\.[A-Za-z0-9_%-]+){2}|q\.[A-Za-z0-9_%-]+\.-?\d+_to_-?\d+) \d+ \d+", line):
        complain(f"graphite: {line!r}")
if len({line for line in lines if line.startswith("dtrace.k.")}) < len(texts):
    complain(f"graphite: {len(lines)} lines")
check_page("h.html")
text = check_protobuf("o.trace", "perfetto.protos.Trace", "trace.proto")
if text and "n\\n;\\\"<b>" not in text:
    complain("perfetto: no process with the name")

# ---- functions
trace("./calls", "syscall::getppid:entry /pid == $target/ { @[execname, ustack(2)] = count(); }",
      ["folded:f.folded", "flamegraph:f.html", "flamegraph:f.svg", "speedscope:f.json", "json:f2.json", "pprof:f.pb.gz", "csv:f.csv"])
lines = open("f.folded", "rb").read().split(b"\n")
if len(lines) != len(names) + 1 or any(not re.fullmatch(rb"calls;[^;]+;[^;]+ 1", l) for l in lines[:-1]):
    complain(f"folded: {lines}")
check_page("f.html")
check_svg("f.svg")
json.load(open("f.json", encoding="utf-8"))
check_protobuf("f.pb.gz", "perftools.profiles.Profile", "profile.proto")
frames = [decoded(f["symbol"]) for l in open("f2.json", encoding="utf-8") if (o := json.loads(l))["type"] == "aggregation" for r in o["rows"]
          for f in r["keys"][1]["value"][:1]]
if sorted(frames) != sorted(names):
    complain(f"JSON: functions {frames}")
with open("f.csv", newline="", encoding="utf-8", errors="surrogateescape") as f:
    table = [r for r in csv.reader(f) if r and r[0] != "name"]
if len(table) != len(names) or any(len(r) != 4 for r in table):
    complain(f"CSV: {table}")
sys.exit(bad)
