#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# A program that waits for a line of BEGIN is traced from then on: each system call that it makes next is counted.
# @ref d-language 5.2
import os
import subprocess
import sys

if os.geteuid():
    print("needs root")
    sys.exit(77)

PROGRAM = """
BEGIN { printf("go\\n"); }
syscall::getppid:entry /pid == $1/ { @ = count(); }
syscall::getpgid:entry /pid == $1/ { exit(0); }
END { printa("%@d\\n", @); }
"""
failed = 0
for i in range(20):
    tracer = subprocess.Popen([os.environ["DTRACE"], "-qn", PROGRAM, str(os.getpid())], stdout=subprocess.PIPE, text=True)
    tracer.stdout.readline()
    for _ in range(5):
        os.getppid()
    os.getpgid(0)
    counted = tracer.communicate()[0].split()
    if counted != ["5"]:
        print(f"round {i}: counted {counted}")
        failed = 1
sys.exit(failed)
