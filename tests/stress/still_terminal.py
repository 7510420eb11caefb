#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""still_terminal.py SECONDS OUT GO COMMAND...: a terminal whose reader stops.

Runs COMMAND with its stdout on a terminal.  When the line "ready" is there, writes a line to GO, a FIFO, and reads
nothing for SECONDS; then reads the rest into OUT.  Prints when it went on, in nanoseconds of CLOCK_MONOTONIC, and
ends with the status of COMMAND.
"""

import os
import pty
import subprocess
import sys
import time
import tty


def read(fd):
    try:
        return os.read(fd, 65536)
    except OSError:  # nobody has the other end any more
        return b""


def main():
    pause, out, go = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    master, slave = pty.openpty()
    tty.setraw(slave)
    command = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL, stdout=slave)
    os.close(slave)
    seen = b""
    while b"ready\n" not in seen:
        data = read(master)
        if not data:
            return "no line that says ready"
        seen += data
    with open(go, "w") as f:
        f.write("go\n")
    time.sleep(pause)
    print(time.clock_gettime_ns(time.CLOCK_MONOTONIC), flush=True)
    with open(out, "wb") as f:
        while data:
            f.write(seen)
            data = seen = read(master)
    return command.wait()


sys.exit(main())
