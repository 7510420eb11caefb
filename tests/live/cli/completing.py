# SPDX-License-Identifier: Apache-2.0
"""Completion in a shell that people use: type part of a command line, press tab, and see what the shell adds or lists."""

import os
import re
import shutil
import sys

from terminal import Terminal

FOLDER = os.environ["SRCDIR"] + "/completions"


def check(argv, cases, **env):
    """
    Start a new shell for each case, a text and pairs of keys and what they make appear, and wait for its prompt, "$ ".
    A new shell needs no ^C, which fish takes for an end of whatever it is just doing, of its prompt for instance.
    """
    if not shutil.which(argv[0]):
        print(f"no {argv[0]}")
        sys.exit(77)
    os.chdir(os.environ["SRCDIR"])
    home = os.environ["TMPDIR"]
    path = os.path.dirname(os.environ["DTRACE"]) + ":" + os.environ["PATH"]
    for text, *steps in cases:
        t = Terminal(argv, PATH=path, HOME=home, XDG_RUNTIME_DIR=home, **env)
        t.expect(r"\$ ")
        t.type(text)
        t.expect(re.escape(text))
        for keys, pattern in steps:
            t.type(keys)
            t.expect(pattern)
        t.kill()
