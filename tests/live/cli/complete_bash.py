#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Tab in bash completes flags, probes in quotes and without, members and options, and shows what they are.
# @vm no: needs no kernel of its own
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from completing import FOLDER, check

rc = os.environ["TMPDIR"] + "/bashrc"
with open(rc, "w") as f:
    f.write(f"PS1='$ '\nsource {FOLDER}/dtrace.bash\n")

clause = "dtrace -n 'syscall::openat:entry{"
check(
    ["bash", "--noprofile", "--rcfile", rc, "-i"],
    [
        ("dtrace -ln syscall::opena", ("\t", "t"), ("\t\t", "openat2: +function"), (":e", ":e"), ("\t", "ntry ")),
        (clause + "curthread->mm->mmap_b", ("\t", "ase")),
        (clause + "trace(1)} tick-1s{exit(0); curpsinfo->pr_f", ("\t\t", "pr_flag +int")),
        ("dtrace -x bufpol", ("\t", "icy="), ("\t\t", "switch")),
        ("dtrace --doc", ("\t", "tor ")),
        ("dtrace --output=jso", ("\t", "n")),
        ("dtrace -s dlib/err", ("\t", r"no\.d ")),
        ("dtrace -c ech", ("\t", "o")),
    ],
    TERM="dumb",
)
