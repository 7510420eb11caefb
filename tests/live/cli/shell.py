#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The shell on a terminal: a program in one line and in several, tab, ^C, errors, commands, the history.
# @vm no: needs no kernel of its own
import os
import sys
import termios
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Terminal

state = os.environ["TMPDIR"] + "/state"


def shell():
    t = Terminal([os.environ["DTRACE"]], TERM="xterm", XDG_STATE_HOME=state, HOME=os.environ["TMPDIR"])
    t.expect(r":help, :quit, and tab completes\s+dtrace> ")
    return t


t = shell()
# a program that ends, and the prompt again
t.type("BEGIN { trace(6 * 7); exit(0) }\n")
t.expect(r"matched 1 probe\s.*:BEGIN +42\s.*dtrace> ")

# in several lines
t.type("BEGIN\t")
t.type("\n")  # a description alone runs
t.expect(r":BEGIN\s")
t.type("\x03")
t.expect("dtrace> ")
t.type('BEGIN /pid ==\n')
t.expect("(D_SYNTAX|syntax error).*dtrace> ")
t.type("BEGIN {\n")
t.expect("      > ")
t.type('printf("%s}\\n", "{two");\n')
t.expect("      > ")
t.type("exit(0); }\n")
t.expect(r"\{two\}\s.*dtrace> ")

# ^C ends the program and prints its aggregations; the shell goes on
t.type("tick-50ms { @fired = count(); printf(\"ti%s\\n\", \"ck\"); }\n")
t.expect("tick\\s.*tick\\s")
t.type("\x03")
t.expect(r"\n +[1-9][0-9]*\s.*dtrace> ")

# however much is still to be printed
t.type("tick-10ms { @many[timestamp % 100000] = count(); printa(@many); }\n")
t.expect("\\d+ +1\\s")
begun = time.monotonic()
t.type("\x03")
t.expect(r"dtrace> ")
assert time.monotonic() - begun < 2 * int(os.environ.get("TIMEOUT_SCALE", "1")), "the program went on after ^C"

# ^C drops what was typed
t.type("BEGIN { trace(1);\n")
t.expect("      > ")
t.type("\x03")
t.expect("dtrace> ")
t.type("what is this")
t.type("\x03")
t.expect("dtrace> ")
# even if it comes while what was typed is being read: as a character, since the signal empties the input
assert termios.tcgetattr(t.fd)[6][termios.VINTR] == b"\0"
for i in range(100):
    t.type("what is this")
    t.type("\x03")
    t.expect("dtrace> ")
# a program ends however early ^C comes
for i in range(20):
    t.type("tick-1h { x++ }\n")
    t.expect(r"x\+\+ \}\n")
    time.sleep(i / 1000)
    t.type("\x03")
    t.expect("dtrace> ")

# a mistake is shown with its place
t.type("BEGIN { trace(nosuch); }\n")
t.expect(r"failed to resolve nosuch: Unknown variable name.*BEGIN \{ trace\(nosuch\); \}\s+\^.*dtrace> ")

# tab: the only possibility, the beginning of several, and their types
t.tab("BEGIN { trace(curthr", "ead")
t.tab("->mm->mmap_", r"mmap_base +unsigned long\s.*mmap_lock +struct rw_semaphore\s.*mmap_")
t.type("ba\t")
t.type(" != 5); exit(0); }\n")
t.expect(r":BEGIN +[01]\s.*dtrace> ")
t.type("BEGIN {\n")
t.expect("      > ")
t.type("this->task = curthread;\n")
t.expect("      > ")
t.tab("trace(this->task->com", r"comm +char \[16\]")  # compat_robust_list as well
t.type("\x03")
t.expect("dtrace> ")
t.tab("syscall::opena", "t")
t.tab(":e", "ntry")
t.type("\x03")
t.expect("dtrace> ")

# comments, which no bracket in them opens
t.type("BEGIN { // {\n")
t.expect("      > ")
t.type('trace("a // b"); exit(0); } // it\'s\n')
t.expect(r"a // b\s.*dtrace> ")

# words that other shells have are no probes to trace
t.type("help\n")
t.expect(r":quit +leave the shell.*dtrace> ")
t.type("help execname\n")
t.expect(r"built-in variable of type string.*dtrace> ")

# commands
t.type(":he\t")
t.type(" execname\n")
t.expect(r"built-in variable of type string.*dtrace> ")
t.tab(":set qui", "et")
t.type("\x03")
t.expect("dtrace> ")
t.type(":set quiet\n:set\n")
t.expect(r"quiet\s+dtrace> .*quiet\s+dtrace> ")
t.type("BEGIN { trace(\"alone\"); exit(0) }\n")
assert "matched" not in t.expect(r"alone\s.*?dtrace> ").group()
t.type(":set nosuch\n")
t.expect("failed to set nosuch.*dtrace> ")
t.type(":unset quiet\n:list syscall::openat:\n")
t.expect(r"syscall +vmlinux +openat entry\s.*dtrace> ")
t.type(f":save {state}.d\n")
t.expect("dtrace> ")
t.type(f":load {state}.\t\n")
t.expect(r"script .*alone\s.*dtrace> ")
t.type(":nonsense\n")
t.expect("unknown command :nonsense.*dtrace> ")
t.type(":help\n")
t.expect(r":list +\[-v\] \[DESCRIPTION\].*dtrace> ")
t.type("\x04")
assert t.end() == 0

# what was typed is there the next time
assert "alone" in open(state + "/dtrace/history").read()
t = shell()
t.type("\x1b[A")
t.expect(":help")
t.type("\x12alone")
t.expect(r'trace\("alone"\)')
t.type("\n")
t.expect(r":BEGIN +alone\s.*dtrace> ")
t.type("quit\n")
assert t.end() == 0

# a FIFO in the place of the history is not waited for
os.rename(state + "/dtrace/history", state + "/dtrace/old")
os.mkfifo(state + "/dtrace/history")
t = shell()
t.type("BEGIN { trace(6 * 7); exit(0) }\n")
t.expect(r":BEGIN +42\s.*dtrace> ")
# nor one as the file of a command; ^C ends the wait for a script
t.type(f":save {state}/dtrace/history\n")
t.expect("cannot write .*: No such device or address.*dtrace> ")
t.type(f":load {state}/dtrace/history\n")
t.expect("waiting for .*: nothing has been written to this FIFO or pipe yet")
t.type("\x03")
t.expect("dtrace> ")
t.type("exit;\n")
assert t.end() == 0
