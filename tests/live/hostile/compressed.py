#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of another user with compressed sections that unpack to gigabytes, or whose headers say so: debug information,
unwind tables, symbols.  dtrace as root reads none of them: it ends in time and stays small.
@timeout 180
@needs gcc objcopy strip
"""
import lzma
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

DTRACE = os.environ["DTRACE"]
SCALE = int(os.environ.get("TIMEOUT_SCALE", "1"))
MOST_KB = 400 * 1024  # more than for the same program without such sections
MOST_SECONDS = 10
GB = 1 << 30
SHF_COMPRESSED, ELFCOMPRESS_ZLIB = 0x800, 1
PROGRAM = """
#include <unistd.h>
struct pair { int first, second; };
__attribute__((noinline)) int work(struct pair *p) { return getppid() + p->first; }
int main(void)
{
	struct pair p = {1, 2};
	for (;;) {
		work(&p);
		usleep(1000);
	}
}
"""
LOOKS = {
    "lines": ("-x", "ustackline", "-x", "ustackinline", "-p", "PID", "-qn", """
        syscall::getppid:entry /pid == $target/ { @[ustack(5)] = count(); }
        syscall::getppid:entry /pid == $target && n++ == 5/ { exit(0); }"""),
    "types": ("-p", "PID", "-qn", "pid$target:a.out:work:entry { print(*args[0]); exit(0); }"),
    "list": ("-p", "PID", "-ln", "pid$target:a.out:work:entry"),
}
if os.getuid():
    print("needs root")
    sys.exit(77)
folder = tempfile.mkdtemp(prefix="hostile.", dir="/tmp")
os.chmod(folder, 0o755)
os.chdir(folder)
failures = []


def other():
    os.setgroups([])
    os.setgid(65532)
    os.setuid(65532)


def zeros(size):
    """A zlib stream of SIZE zeros, a multiple of 1 MB, made of copies of one piece."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    check = size % 65521 << 16 | 1  # Adler-32
    return b"\x78\xda" + piece * (size >> 20) + packer.flush() + struct.pack(">I", check)


def change(path, name, offset=None, size=None, flags=None):
    """Changes the headers of all sections that are called NAME."""
    with open(path, "r+b") as f:
        elf = f.read()
        start, length, n, strings = (struct.unpack_from("<Q", elf, 40)[0], *struct.unpack_from("<HHH", elf, 58))
        names = struct.unpack_from("<Q", elf, start + strings * length + 24)[0]
        for i in range(n):
            at = start + i * length
            where = names + struct.unpack_from("<I", elf, at)[0]
            if elf[where:elf.index(b"\0", where)].decode() != name:
                continue
            for value, field in (flags, 8), (offset, 24), (size, 32):
                if value is not None:
                    f.seek(at + field)
                    f.write(struct.pack("<Q", value))


def make(name, section, content, compressed):
    """A program NAME whose SECTION is CONTENT."""
    with open("content", "wb") as f:
        f.write(content)
    subprocess.run(["objcopy", "-R", section, "plain", name], check=True)
    subprocess.run(["objcopy", "--add-section", f"{section}=content", name], check=True)
    if compressed:
        change(name, section, flags=SHF_COMPRESSED)


def make_sparse(name, sections, size, flags):
    """A program NAME whose SECTIONS are the same SIZE bytes, after its end, which take no disk."""
    with open("content", "wb") as f:
        f.write(b"?")
    shutil.copy("plain", name)
    subprocess.run(["objcopy", *(f"--add-section={section}=content" for section in sections), name], check=True)
    end = os.stat(name).st_size
    for section in sections:
        change(name, section, end, size, flags)
    os.truncate(name, end + size)


def measure(name):
    """The time in seconds and the memory in kB of each look at program NAME."""
    with subprocess.Popen([f"./{name}"], preexec_fn=other) as victim:
        try:
            for look, args in LOOKS.items():
                begin = time.monotonic()
                with subprocess.Popen([DTRACE, *(str(victim.pid) if a == "PID" else a for a in args)],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (10 * GB, 10 * GB))) as run:
                    try:
                        output = run.communicate(timeout=3 * MOST_SECONDS * SCALE)[0]
                    except subprocess.TimeoutExpired:
                        run.kill()
                        output = "no end"
                    yield look, time.monotonic() - begin, run.returncode, output
        finally:
            victim.kill()


def memory():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def check(name, least):
    for look, took, status, output in measure(name):
        if took > MOST_SECONDS * SCALE or status not in (0, 1) or \
                 "work" not in output and look == "list" and "gnu" not in name:
            failures.append(f"{name}: {look}: status {status} after {took:.1f} s: {output}")
        if memory() > least + MOST_KB:
            failures.append(f"{name}: {look}: {memory()} kB, and {least} kB without the section")
            return


try:
    with open("prog.c", "w", encoding="ascii") as f:
        f.write(PROGRAM)
    subprocess.run(["gcc", "-g", "-O1", "-Wl,--build-id=none", "-o", "plain", "prog.c"], check=True)
    check("plain", GB)
    least = memory()
    header = struct.Struct("<IIQQ")
    gnu = struct.Struct(">4sQ")
    bomb = zeros(3 * GB)
    for section in ".debug_info", ".debug_str", ".debug_frame":
        make("bomb" + section, section, header.pack(ELFCOMPRESS_ZLIB, 0, 3 * GB, 1) + bomb, True)
        make("lie" + section, section, header.pack(ELFCOMPRESS_ZLIB, 0, 1 << 62, 1) + zeros(1 << 20), True)
        make("small" + section, section, header.pack(ELFCOMPRESS_ZLIB, 0, 4096, 1) + bomb, True)
    for section in ".zdebug_info", ".zdebug_frame":
        make("bomb" + section, section, gnu.pack(b"ZLIB", 3 * GB) + bomb, False)
        make("lie" + section, section, gnu.pack(b"ZLIB", 1 << 62) + zeros(1 << 20), False)
    make_sparse("sparse.debug_x", [".debug_x"], 6 * GB, SHF_COMPRESSED)
    make_sparse("sparse.zdebug", [f".zdebug_{i}" for i in range(6)], GB - 16, 0)
    subprocess.run(["strip", "plain"], check=True)
    packer = lzma.LZMACompressor(preset=0)
    content = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1024)) + packer.flush()
    make("bomb.gnu_debugdata", ".gnu_debugdata", content, False)
    for name in sorted(os.listdir(".")):
        if "debug" in name and not failures:
            check(name, least)
finally:
    os.chdir("/")
    shutil.rmtree(folder)
if failures:
    print(*failures, sep="\n")
sys.exit(bool(failures))
