#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# With tab and :help alone, a newcomer finds which process writes most bytes to which file.
# @vm no: needs no kernel of its own
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Terminal

PROMPT = "dtrace> "
TIMES, SIZE = 1000, 1 << 20

t = Terminal([os.environ["DTRACE"]], TERM="xterm", XDG_STATE_HOME=os.environ["TMPDIR"], HOME=os.environ["TMPDIR"])
t.expect(r":help, :quit, and tab completes\s+" + PROMPT)

# which commands are there, and is there something about writing?
t.tab(":", r":help +\[NAME\] +explain a probe.*:examples +\[WORD\] +print examples.*" + PROMPT + ":")
t.tab("he", "lp")
t.type(" write\n")
t.expect(r"syscall:vmlinux:write:entry\s.*each system call\s.*args\[0\] +unsigned int\s+args\[1\] +const char \*\s+args\[2\] +size_t")
t.expect(r"Example:\s+syscall:vmlinux:write:entry \{ @\[execname\] = count\(\); \}\s.*" + PROMPT)

# a total is wanted, not a number: what are the largest ones, and in which order are they printed?
t.type(":help sum\n")
t.expect(r"sum\(.*aggregat.*total.*Example:.*" + PROMPT)
t.tab(":set aggsort", r"aggsortrev +boolean +sort aggregations downwards\s.*" + PROMPT + ":set aggsort")
t.tab("r", "ev")
t.type("\n")
t.expect(PROMPT)

# the probe, part by part; "wri" goes on to write, writev and others
t.tab("sysc", "all:")
t.tab(":wri", "te")
t.type("\t")
t.expect(r"write: +function\s.*writev: +function\s.*" + PROMPT + "syscall::write")
t.tab(":", "entry +.*return +.*" + PROMPT + "syscall::write:")
t.tab("e", "ntry")

# the process, and the file of a descriptor
t.tab(" { @[exec", r"execargs +string +arguments.*execname +string +name.*" + PROMPT + r"syscall::write:entry \{ @\[exec")
t.tab("na", "me")
t.tab(", fd", "s")
t.tab("[arg", r"arg0 +.*args\[ +.*" + PROMPT + r"syscall::write:entry \{ @\[execname, fds\[arg")
t.tab("0].fi_", r"fi_name +string\s.*fi_pathname +string\s.*" + PROMPT)
t.tab("p", "athname")
t.tab("] = su", r"sum\( +aggregation \(@\) +total\s.*" + PROMPT)
t.tab("m", r"\(")
t.tab("args[", r"0\] +unsigned int\s+1\] +const char \*\s+2\] +size_t\s.*" + PROMPT)
# another probe says when probes fire
t.type("2]) }")
t.tab(" tic", "k-")
t.type("1s { trace(6 * 7) }\n")
t.expect(r"matched 2 probes\s.*:tick-1s +42\s")

# this process writes more than any other
path = os.environ["TMPDIR"] + "/most"
data = bytes(SIZE)
fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
for _ in range(TIMES):
    os.lseek(fd, 0, os.SEEK_SET)
    assert os.write(fd, data) == SIZE
os.close(fd)
t.type("\x03")
table = t.expect(r"\n(.*?)" + PROMPT).group(1)
rows = [re.fullmatch(r" +(.*?) +(\S*) +(\d+)", line) for line in table.splitlines() if ":tick-1s" not in line]
first = next(row for row in rows if row and (row[2] == path or not row[2].endswith("/tmp/most")))  # of no other run of this test
with open("/proc/self/comm") as f:
    assert first.group(1, 2) == (f.read().strip(), path), table
assert int(first.group(3)) >= TIMES * SIZE, table
t.type("\x04")
assert t.end() == 0
