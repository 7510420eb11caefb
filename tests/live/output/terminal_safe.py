#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Control characters in traced text (names of processes and of functions) are escaped on a terminal, and
# columns count what is shown; those of the program's own text are not, nor is anything in a file or a pipe. The same for characters that
# change the direction of text. A name of a function or probe never makes two lines, nor does that of a program in a message.
import fcntl, os, pty, re, struct, subprocess, sys, termios, time

dtrace = os.environ["DTRACE"]
os.environ["TERM"] = "dumb"  # no progress line
bad = 0


def complain(text):
    global bad
    bad = 1
    print(text)


def on_terminal(*args):
    """What dtrace writes to a terminal."""
    pid, fd = pty.fork()
    if not pid:
        os.execv(dtrace, [dtrace, *args])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    out = b""
    while True:
        try:
            piece = os.read(fd, 4096)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.waitpid(pid, 0)
    return out.replace(b"\r\n", b"\n")


def expect(what, got, *wanted):
    for w in wanted:
        if w not in got:
            complain(f"{what}: no {w!r} in {got!r}")


# C0, DEL, C1 as UTF-8 and as a byte, half a character; and what is harmless: blanks, UTF-8
name = b"\x1b[2J\x7f\xc2\x9b\x9b\xc3 \xc3\xa9"
shown = b"\\033[2J\\177\\302\\233\\233\\303 \xc3\xa9"
with open("named.py", "wb") as f:
    f.write(b"import ctypes, os\nctypes.CDLL(None).prctl(15, %r, 0, 0, 0)\nos.getppid()\nimport sys, time\n"
            b"for i in range(20 if sys.argv[1:] else 0):\n    os.getppid(); time.sleep(0.1)\n" % name)
target = "/usr/bin/python3 named.py"
where = 'syscall::getppid:entry /pid == $target && threadname != "python3"/ '
program = where + r'''{
	trace(threadname);
	printf("%s|%20s|\033[1m%s\033[0m|", threadname, threadname, "\033[2m");
	@[threadname] = count();
	@b[threadname, 1] = count();
	exit(0);
}'''
out = on_terminal("-n", program, "-c", target)
if re.sub(rb"\x1b\[[012]m", b"", out).find(b"\x1b") >= 0 or b"\x9b" in out.replace(shown, b""):
    complain(f"not safe: {out!r}")
expect("terminal", out, b"  " + shown.ljust(33) + b" " * 1, shown + b"|", b"|\x1b[1m\x1b[2m\x1b[0m|")
rows = [l for l in out.split(b"\n") if l.startswith(b"  " + shown)]
if len(rows) != 2 or not all(r.endswith(b" 1") for r in rows):
    complain(f"tables: {rows!r}")
expect("option off", on_terminal("-x", "termsafe=off", "-qn", where + "{ trace(threadname); exit(0); }", "-c", target), name)

# not a terminal
out = subprocess.run([dtrace, "-qn", where + "{ trace(threadname); exit(0); }", "-c", target], capture_output=True).stdout
expect("pipe", out, name)
on_terminal("-o", "file", "-qn", where + "{ trace(threadname); exit(0); }", "-c", target)
expect("-o", open("file", "rb").read(), name)
on_terminal("-wqn", where + '{ freopen("other"); trace(threadname); exit(0); }', "-c", target)
expect("freopen()", open("other", "rb").read(), name)

# nor in a command or a file's name
on_terminal("-wqn", where + '{ system("printf %%s %q >third", threadname); freopen("f-%s", threadname); trace(threadname); exit(0); }', "-c", target)
expect("system()", open("third", "rb").read(), name)
if b"f-" + name not in os.listdir(b"."):
    complain(f"freopen(): {os.listdir(b'.')}")
# the precision is that of the text
expect("precision", on_terminal("-qn", where + '{ printf("[%.3s]", threadname); exit(0); }', "-c", target), b"[\\033[2]")

# symbols: the linker takes any name
with open("evil.s", "w") as f:
    f.write('\t.globl main\n\t.type main, @function\nmain:\n\tsub $8, %rsp\n\tcall "evil\x1b[2Jname"\n\txor %eax, %eax\n\tadd $8, %rsp\n\tret\n'
            '\t.size main, .-main\n\t.type "evil\x1b[2Jname", @function\n"evil\x1b[2Jname":\n\tmov $110, %eax\n\tsyscall\n\tret\n'
            '\t.size "evil\x1b[2Jname", .-"evil\x1b[2Jname"\n\t.section .note.GNU-stack,"",@progbits\n')
subprocess.run(["cc", "-o", "evil", "evil.s"], check=True)
pattern = "pid$target:evil:evil*:entry"
for args in (["-n", pattern + " { trace(probefunc); exit(0); }"], ["-n", pattern + " { @[ustack(2)] = count(); exit(0); }"],
             ["-n", pattern + ' { ufunc(uregs[R_RIP]); printf("%A", uregs[R_RIP]); exit(0); }'], ["-Fn", pattern + " { exit(0); }"],
             ["-n", pattern + " { @[usym(uregs[R_RIP])] = count(); exit(0); }"], ["-ln", pattern]):
    out = on_terminal(*args, "-c", "./evil")
    if b"\x1b" in out:
        complain(f"{args}: not safe: {out!r}")
    expect(args, out, b"evil\\033[2Jname")

# names that look like more lines, or turn the text around them
names = ["evil\n  999 fake kernel fake entry", "evil\t7", "evil\u202edesrever", "evil\u2028x", "evil\u2066y"]
raw = [n.encode() for n in names]
holders = [b"EVIL%d" % i + b"_" * (len(n) - 5) for i, n in enumerate(raw)]
with open("lines.s", "w") as f:
    f.write("\t.globl main\n\t.type main, @function\nmain:\n\tsub $8, %rsp\n" + "".join(f"\tcall {h.decode()}\n" for h in holders))
    f.write("\txor %eax, %eax\n\tadd $8, %rsp\n\tret\n\t.size main, .-main\n")
    for h in holders:
        h = h.decode()
        f.write(f"\t.type {h}, @function\n{h}:\n\tmov $110, %eax\n\tsyscall\n\tret\n\t.size {h}, .-{h}\n")
    # three static probes; of two, names have lines or control characters
    for provider, probe in (("good", "probe"), ("good\\n 7 x", "probe"), ("good", "probe\\033[2J")):
        f.write('\t.section .note.stapsdt,"?"\n\t.balign 4\n\t.4byte 8, 2f-1f, 3\n\t.asciz "stapsdt"\n1:\t.8byte main, 0, 0\n'
                f'\t.asciz "{provider}"\n\t.asciz "{probe}"\n\t.asciz ""\n2:\t.balign 4\n')
    f.write('\t.section .note.GNU-stack,"",@progbits\n')
subprocess.run(["cc", "-no-pie", "-o", "lines", "lines.s"], check=True)
content = open("lines", "rb").read()
for h, n in zip(holders, raw):
    content = content.replace(h, n)
open("lines", "wb").write(content)
shown_names = [re.sub(rb"[\x80-\xff]", lambda c: b"\\%03o" % c[0][0], n).replace(b"\n", b"\\n").replace(b"\t", b"\\t") for n in raw]
for args in (["-ln", "pid$target:lines:evil*:entry"], ["-n", "pid$target:lines:evil*:entry"], ["-Fn", "pid$target:lines:evil*:entry"],
             ["-qn", "syscall::getppid:entry /pid == $target/ { ustack(1); }"],
             ["-qn", "syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }"],
             ["-qn", "pid$target:lines:evil*:entry { @[usym(uregs[R_RIP])] = count(); }"]):
    out = on_terminal(*args, "-c", "./lines")
    if any(n in out for n in raw):
        complain(f"{args}: not safe: {out!r}")
    expect(args, out, *shown_names)
    out = subprocess.run([dtrace, *args, "-c", "./lines"], capture_output=True).stdout
    if any(n in out for n in raw[:2]):
        complain(f"{args}, a pipe: two lines: {out!r}")
    expect(f"{args}, a pipe", out, *shown_names[:2], *raw[2:])
out = subprocess.run([dtrace, "-ln", "good*$target:::", "-c", "./lines"], capture_output=True).stdout
if len(out.splitlines()) != 2:
    complain(f"static probes: {out!r}")

# a program in a message
os.makedirs("bin", exist_ok=True)
translator = "bin/qemu-arm\ndtrace: forged"
with open("/bin/sleep", "rb") as f, open(translator, "wb") as t:
    t.write(f.read())
os.chmod(translator, 0o755)
victim = subprocess.Popen([translator, "1000"])
while "libc.so.6" not in open(f"/proc/{victim.pid}/maps").read():
    time.sleep(0.01)
err = subprocess.run([dtrace, "-qn", f"pid{victim.pid}:libc.so.6:getppid:entry {{ exit(0); }}"], capture_output=True).stderr
victim.kill()
victim.wait()
expect("a message", err, b"(qemu-arm?dtrace: forged)")

# one character of a program's own, too: it may be one of a name
expect("%c", on_terminal("-qn", r'BEGIN { printf("[%c%c%c]", 0x1b, 0x9b, 65); exit(0); }'), b"[\\033\\233A]")
expect("%c, option off", on_terminal("-x", "termsafe=off", "-qn", 'BEGIN { printf("[%c]", 0x1b); exit(0); }'), b"[\x1b]")

# messages
message = os.path.join(os.getcwd(), "no\x1b[2Jfile.d")
for args in (["-s", message], ["-x", "nosuch\x1b[2Joption"], ["-qn", "BEGIN { nosuch(); }", "-c", "./no\x1b[2Jfile"]):
    out = on_terminal(*args)
    if b"\x1b[2J" in out or b"no\\033[2Jfile" not in out and b"nosuch\\033[2Joption" not in out:
        complain(f"{args}: {out!r}")
err = subprocess.run([dtrace, "-s", message], capture_output=True).stderr
expect("a message in a pipe", err, b"no\x1b[2Jfile.d")

# the log of the verifier and other listings quote the program, and names of what it traces
quoting = 'BEGIN /execname != "\x1b[2Jx"/ { exit(0); }'
for args in (["-x", "bpflog"], ["-S"], ["-x", "dump=bpf"]):
    out = on_terminal(*args, "-qn", quoting)
    if b"\x1b" in out:
        complain(f"{args}: not safe: {out!r}")
    expect(args, out, b"\\033[2Jx")
    err = subprocess.run([dtrace, *args, "-qn", quoting], capture_output=True).stderr
    expect(f"{args}, a pipe", err, b"\x1b[2Jx")
out = on_terminal("-x", "debug", "-qn", pattern + " { exit(0); }", "-c", "./evil")
if b"\x1b" in out:
    complain(f"debug: not safe: {out!r}")
expect("debug", out, b"libdtrace DEBUG ", b"evil\\033[2Jname")

# the name of a control group
mounts = [line.split()[4] for line in open("/proc/self/mountinfo") if " - cgroup2 " in line]
if mounts:
    group = os.path.join(os.fsencode(mounts[0]), b"dtrace-%d-" % os.getpid() + name)
    with open("grouped.py", "w") as f:
        f.write(f"import os\nopen({group!r} + b'/cgroup.procs', 'w').write(str(os.getpid()))\nos.getppid()\n")
    os.mkdir(group)
    try:
        out = on_terminal("-qn", "syscall::getppid:entry /pid == $target/ { trace(cgroup); @[cgroup] = count(); }", "-c", "/usr/bin/python3 grouped.py")
    finally:
        os.rmdir(group)
    if name in out or out.count(shown) != 2:
        complain(f"cgroup: {out!r}")

# the whole screen
os.environ["TERM"] = "xterm"
out = on_terminal("--top", "-n", "syscall::getppid:entry /pid == $target/ { @[threadname] = count(); } tick-2s { exit(0); }", "-c", target + " again")
if b"\x1b[2J\x7f" in out or shown not in out:
    complain(f"--top: {out!r}")
sys.exit(bad)
