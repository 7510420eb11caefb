#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Tab in fish completes flags, probes in quotes and without, members and options, and shows what they are.
# @vm no: needs no kernel of its own
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from completing import FOLDER, check

check(
    ["fish", "--no-config", "-i", "-C", f"function fish_prompt; echo -n '$ '; end; source {FOLDER}/dtrace.fish"],
    [
        ("dtrace -ln syscall::opena", ("\t", r"openat2: +\(function\)")),
        ("dtrace -ln syscall::openat:e", ("\t", "openat:entry")),
        ("dtrace -n 'syscall::openat:entry{curthread->mm->mmap_b", ("\t", "mmap_base")),
        ("dtrace -x bufpol", ("\t", "bufpolicy="), ("\t", "switch")),
        ("dtrace --doc", ("\t", "--doctor")),
        ("dtrace -s dlib/err", ("\t", "dlib/errno.d")),
    ],
    TERM="xterm",
)
