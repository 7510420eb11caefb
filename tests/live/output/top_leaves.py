#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --top gives the terminal back as it was at its end, while it is stopped by ^Z, and when ^\ kills it: its lines are cleared, for
# terminals without an alternate screen, and keys that were typed meanwhile do not go to the shell.
# @vm no: the text of output, the kernel has no part in it
import os
import pty
import select
import signal
import sys
import termios
import time

DTRACE = os.environ["DTRACE"]
PROGRAM = 'tick-10ms { @["seen"] = count(); }'
failures = []


class Top:
    def __init__(self, *words, shell=""):
        """SHELL: a shell with jobs runs it as "$@"."""
        self.said = b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ["TERM"] = "vt220"
            command = [DTRACE, "--top", "-q", *words]
            if shell:
                command = ["bash", "-mc", shell, "bash", *command]
            os.execvp(command[0], command)

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.said += os.read(self.fd, 65536)
            except OSError:
                pass

    def until(self, what, text):
        """Waits until TEXT comes, and forgets what came before."""
        end = time.time() + 20
        while text not in self.said and time.time() < end:
            self.read(0.2)
        if text not in self.said:
            failures.append(f"{what}: no {text!r} in {self.said[-300:]!r}")
            os.kill(self.pid, signal.SIGKILL)
        self.said = self.said[self.said.find(text) + len(text):]

    def state(self, what, wanted):
        """Waits until the process has ended; reads meanwhile, or it would wait for us."""
        end = time.time() + 20
        pid = 0
        while not pid and time.time() < end:
            self.read(0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid or not wanted(status):
            failures.append(f"{what}: state {pid and status}")
        while select.select([self.fd], [], [], 0)[0]:
            before = len(self.said)
            self.read(0)
            if len(self.said) == before:
                break

    def given_back(self, what):
        cooked = termios.tcgetattr(self.fd)[3]
        if not (cooked & termios.ICANON and cooked & termios.ECHO):
            failures.append(f"{what}: the terminal is left in another mode")
        # the last line of the screen is cleared before the screen is left
        last = self.said.rfind(b"q quit")
        if last >= 0 and b"\033[H\033[J" not in self.said[last:]:
            failures.append(f"{what}: left on the terminal: {self.said[last:last + 80]!r}")
        if b"\033[?1049l" not in self.said:
            failures.append(f"{what}: the alternate screen is not left")


def rows(top, what):
    top.until(what, b"seen")
    top.until(what, b"q quit")
    top.said = b"q quit" + top.said


# keys typed while it ends: system() keeps it from reading them
top = Top("-w", "-n", PROGRAM + 'END { system("echo ending; while [ ! -e typed ]; do sleep .05; done"); }')
rows(top, "the end")
os.write(top.fd, b"q")
end = time.time() + 20
while not os.popen(f"pgrep -P {top.pid}").read() and time.time() < end:
    time.sleep(0.05)
os.write(top.fd, b"uit")
open("typed", "w").close()
slave = os.open(os.readlink(f"/proc/{top.pid}/fd/0"), os.O_RDWR | os.O_NOCTTY)
top.state("the end", lambda s: os.WIFEXITED(s) and os.WEXITSTATUS(s) == 0)
top.given_back("the end")
raw = termios.tcgetattr(slave)
raw[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(slave, termios.TCSANOW, raw)
if select.select([slave], [], [], 0)[0]:
    failures.append(f"the shell gets {os.read(slave, 100)!r}")

# as in a shell: the process would not be stopped without one (an orphaned process group)
top = Top("-n", PROGRAM, shell='"$@"; echo state $?; while [[ ! -e go ]]; do sleep .05; done; fg; exit $?')
rows(top, "^Z")
os.write(top.fd, b"\x1a")
end = time.time() + 20
while b"state 148" not in top.said and time.time() < end:
    top.read(0.2)
if b"state 148" not in top.said:
    failures.append("^Z: it is not stopped")
top.given_back("^Z")
top.said = b""
open("go", "w").close()
top.until("fg", b"\033[?1049h")
rows(top, "fg")
os.write(top.fd, b"q")
top.state("fg, the end", lambda s: os.WIFEXITED(s) and os.WEXITSTATUS(s) == 0)
top.given_back("fg, the end")

top = Top("-n", PROGRAM)
rows(top, "^\\")
os.write(top.fd, b"\x1c")
top.state("^\\", lambda s: os.WIFSIGNALED(s) and os.WTERMSIG(s) == signal.SIGQUIT)
top.given_back("^\\")

if failures:
    print("\n".join(failures))
sys.exit(bool(failures))
