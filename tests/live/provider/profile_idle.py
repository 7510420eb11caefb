#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# profile-N that fires on some CPU less than half as often as it should says at the end how many firings were missed, if a clause
# adds up all of them, without a predicate or keys but the CPU. Some kernels take no samples of idle CPUs; here another period makes the clocks silent.
import ctypes
import fcntl
import os
import re
import signal
import struct
import subprocess
import sys
import time

PERIOD = 0x40082404  # PERF_EVENT_IOC_PERIOD, linux/perf_event.h
GETFD = 438  # pidfd_getfd(2)
RATE = 97

if os.getuid() != 0:
    print("needs root")
    sys.exit(77)
libc = ctypes.CDLL(None, use_errno=True)


def silence(pid):
    """Has the clocks of process PID fire in hours only; returns their number."""
    process, n = os.pidfd_open(pid), 0
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            if os.readlink(f"/proc/{pid}/fd/{fd}") != "anon_inode:[perf_event]":
                continue
        except FileNotFoundError:  # of something else, closed meanwhile
            continue
        mine = libc.syscall(GETFD, process, int(fd), 0)
        assert mine >= 0, os.strerror(ctypes.get_errno())
        fcntl.ioctl(mine, PERIOD, struct.pack("Q", 10**13))
        os.close(mine)
        n += 1
    os.close(process)
    return n


def missed(clauses, quiet):
    """Runs CLAUSES for a second; returns the firings that were told as missed, on how many CPUs, and the seconds."""
    start = time.monotonic()
    d = subprocess.Popen([os.environ["DTRACE"], "-q", "-x", "droptags", "-n", f'BEGIN {{ printf("go\\n"); }} {clauses}'],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    d.stdout.readline()
    cpus = silence(d.pid) if quiet else 0
    time.sleep(1)
    d.send_signal(signal.SIGINT)
    _, err = d.communicate()
    told = re.search(r"\[DTRACEDROP_IDLE\] (\d+) missed firings on CPUs that were idle", err)
    return int(told[1]) if told else 0, cpus, time.monotonic() - start


n, cpus, seconds = missed(f"profile-{RATE} {{ @ = count(); }}", True)
assert cpus and RATE * cpus / 2 < n <= (RATE * seconds + 1) * cpus, (n, cpus, seconds)
n, cpus, seconds = missed(f"profile-{RATE} /pid/ {{ @ = count(); }}", True)
assert cpus and not n, n
# nor is it told where what runs is looked for
n, cpus, seconds = missed(f"profile-{RATE} {{ @[execname] = count(); }}", True)
assert cpus and not n, n
n, cpus, seconds = missed(f"profile-{RATE} {{ @[cpu] = count(); }}", True)
assert cpus and RATE * cpus / 2 < n <= (RATE * seconds + 1) * cpus, (n, cpus, seconds)
# one clause counts, of two clocks: what is due is due of both
n, cpus, seconds = missed(f"profile-{RATE} /pid/ {{ @a = count(); }} profile-{RATE} {{ @ = count(); }} profile-200 {{ @b = count(); }}", True)
assert cpus and 297 * cpus / 4 < n <= (297 * seconds + 2) * cpus, (n, cpus, seconds)
