#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Tab in zsh completes flags, probes in quotes and without, members and options, and shows what they are.
# @vm no: needs no kernel of its own
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from completing import FOLDER, check

folder = os.environ["TMPDIR"]
with open(folder + "/.zshrc", "w") as f:
    f.write(f"PS1='$ '\nfpath=({FOLDER} $fpath)\nautoload -U compinit\ncompinit -u -d {folder}/dump\n")

check(
    ["zsh", "-d", "-i"],
    [
        ("dtrace -ln syscall::opena", ("\t", "t"), ("\t", "openat2: *-- function"), (":e", ":e"), ("\t", "ntry")),
        ("dtrace -n 'syscall::openat:entry{curthread->mm->mmap_b", ("\t", "ase")),
        ("dtrace -x bufpol", ("\t", "icy="), ("\t", "switch")),
        ("dtrace --doc", ("\t", "tor")),
        ("dtrace -s dlib/err", ("\t", r"no\.d")),
    ],
    TERM="xterm",
    ZDOTDIR=folder,
)
