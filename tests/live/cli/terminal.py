# SPDX-License-Identifier: Apache-2.0
"""A terminal with a program in it: type(), and wait until a pattern appears on it."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SCALE = float(os.environ.get("TIMEOUT_SCALE", "1"))

CONTROL = r"\x1b(\[[0-9;?>=]*[a-zA-Z]|[=>()][A-Z0-9]?|[]P][^\x07\x1b]*(\x07|\x1b\\))|[\x07\r]"
PARTIAL = r"(\x1b(\[[0-9;?>=]*|[()]|[]P][^\x07\x1b]*\x1b?)?)?\Z"  # the beginning of one
# "what are you?" (DA1 of ECMA-48), for whose answer fish 4 waits 10 s, and that of a VT102
QUERY, ANSWER = r"\x1b\[0?c", "\x1b[?6c"


class Terminal:
    def __init__(self, argv, **env):
        self.seen = ""  # everything so far
        self.new = 0  # where that begins which no expect() has passed
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.rest = ""  # of a sequence that is not complete
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(env)
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))

    def read(self, seconds):
        """Read what comes within so many seconds; False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        text = self.rest + self.decoder.decode(data)
        # without colours, movements of the cursor and bells, of which the last may not be complete yet
        self.rest = re.search(PARTIAL, text).group()
        for _ in re.findall(QUERY, text[: len(text) - len(self.rest)]):
            self.type(ANSWER)
        text = re.sub(CONTROL, "", text[: len(text) - len(self.rest)])
        self.seen += text
        return bool(data)

    def type(self, text):
        os.write(self.fd, text.encode())

    def expect(self, pattern, seconds=20):
        """Wait for a pattern in what came since the last expect(), and return the match."""
        end = time.monotonic() + seconds * SCALE
        while True:
            found = re.search(pattern, self.seen[self.new :], re.S)
            if found:
                self.new += found.end()
                return found
            if time.monotonic() > end or not self.read(0.1):
                sys.exit(f"no {pattern!r} in:\n{self.seen[self.new:]}\n--- before:\n{self.seen[:self.new]}")

    def tab(self, text, pattern):
        """Type TEXT, wait for its echo, press tab, and wait for a pattern."""
        self.type(text)
        self.expect(re.escape(text))
        self.type("\t")
        return self.expect(pattern)

    def kill(self):
        """End the program, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def end(self):
        """Wait for the program to exit; returns its status."""
        end = time.monotonic() + 20 * SCALE
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                sys.exit(f"still running after:\n{self.seen}")
            self.read(0.1)
