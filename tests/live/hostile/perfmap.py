#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# @needs gcc
# @slow
"""Three processes of another user share a perf map of 264 MB with lines about code that they have mapped: dtrace as
root stays small, says that names are lacking, and names an honest process's code.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
SCALE = int(os.environ.get("TIMEOUT_SCALE", "1"))
MOST_KB = 300 * 1024  # more than without the maps
TEXT = 264_000_000
PROGRAM = r"""
#define _GNU_SOURCE
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	/* push %rbp; mov %rsp,%rbp; mov $110,%eax; syscall; pop %rbp; ret */
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0, 0, 0, 0x0f, 5, 0x5d, 0xc3};
	size_t size = strtoul(argv[1], NULL, 0);
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return 1;
	memcpy(at, code, sizeof(code));
	printf("%lx\n", (unsigned long)at);
	fclose(stdout);
	getchar(); /* until the map is there */
	for (;;) {
		((void (*)(void))at)();
		usleep(1000);
	}
}
"""
if os.getuid():
    print("needs root")
    sys.exit(77)

folder = tempfile.mkdtemp(prefix="hostile.", dir="/tmp")
os.chmod(folder, 0o755)
running, maps = [], []


def other():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def start(size, user):
    child = subprocess.Popen([folder + "/prog", str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True, preexec_fn=user)
    running.append(child)
    return child, int(child.stdout.readline(), 16)


def go(child):
    child.stdin.write("\n")
    child.stdin.close()


def trace(pids):
    """Stacks of PIDS; the memory that dtrace took, in kB."""
    wanted = " || ".join(f"pid == {pid}" for pid in pids)
    done = " && ".join(f"n[{pid}] > 2" for pid in pids)
    program = (f"syscall::getppid:entry /{wanted}/ {{ @[pid, ustack(2)] = count(); n[pid]++; }}"
               f"syscall::getppid:entry /{done}/ {{ exit(0); }}")
    run = subprocess.run([DTRACE, "-qn", program], capture_output=True, text=True, timeout=60 * SCALE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if run.returncode:
        fail(f"status {run.returncode}: {run.stderr}")
    return run, after


def fail(why):
    print(why)
    raise SystemExit(1)


def put_map(pid, write):
    path = f"/tmp/perf-{pid}.map"
    with open(path, "x", encoding="ascii") as f:
        maps.append(path)
        write(f)
        status = os.stat(f"/proc/{pid}")
        os.fchown(f.fileno(), status.st_uid, status.st_gid)
    return path


def flood(f, at):
    """Ever other addresses of the code at AT."""
    lines = "".join(f"@{i:05x} 10 n\n" for i in range(0, 1 << 20, 16))
    written, page = 0, at >> 20
    while written < TEXT:
        written += f.write(lines.replace("@", f"{page:x}"))
        page += 1


try:
    with open(folder + "/prog.c", "w", encoding="ascii") as f:
        f.write(PROGRAM)
    subprocess.run(["gcc", "-O0", "-o", folder + "/prog", folder + "/prog.c"], check=True)
    honest, code = start(4096, None)
    put_map(honest.pid, lambda f: f.write(f"{code:x} d honest_name\n"))
    go(honest)
    run, least = trace([honest.pid])
    if "honest_name" not in run.stdout:
        fail("the honest process alone:\n" + run.stdout + run.stderr)
    victims = []
    first = None
    for _ in range(3):
        child, at = start(1 << 40, other)
        victims.append(child.pid)
        if first:
            path = f"/tmp/perf-{child.pid}.map"
            os.link(first, path)
            maps.append(path)
        else:
            first = put_map(child.pid, lambda f: flood(f, at))
        go(child)
    run, most = trace(victims + [honest.pid])
    if most > least + MOST_KB:
        fail(f"dtrace took {most} kB, and {least} kB without the maps")
    if "honest_name" not in run.stdout:
        fail("the honest process's name is missing:\n" + run.stdout)
    if "are too large" not in run.stderr:
        fail("nothing was said: " + run.stderr)
finally:
    for child in running:
        child.kill()
        child.wait()
    for path in maps:
        os.unlink(path)
    shutil.rmtree(folder)
