#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# opensnoop prints each call that opens a file, with its flags and what became of it, as strace does.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >opens.py <<'P'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.creat(b"made", 0o644)
os.open("made", os.O_RDWR | os.O_APPEND)
for i in range(3):
    try:
        os.open("nosuch%d" % i, os.O_RDONLY)
    except OSError:
        pass
libc.syscall(257, -100, 1, 0, 0) # openat() of a path that cannot be read
how = (ctypes.c_uint64 * 3)(os.O_WRONLY | os.O_CREAT, 0o600, 0)
libc.syscall(437, -100, b"two", how, 24) # openat2()
P
run() { # WORD...
	rm -f made two
	tool_during python3 -S opens.py -- opensnoop -p @ "$@"
	opens=$during
}
# "ERR FLAGS PATH" of the files here
ours() { awk -v p="$opens" '$1 == p { print $4, $5, $6 }' <<<"$out" | grep -E ' (made|nosuch.|two|)$'; }
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +PID COMM +FD ERR +FLAGS +PATH
'
expect_text opens "$(ours)" '- O_WRONLY|O_CREAT|O_TRUNC made
- O_RDWR|O_APPEND|O_CLOEXEC made
ENOENT O_RDONLY|O_CLOEXEC nosuch0
ENOENT O_RDONLY|O_CLOEXEC nosuch1
ENOENT O_RDONLY|O_CLOEXEC nosuch2
EFAULT O_RDONLY 
- O_WRONLY|O_CREAT two'
# the descriptors are those that the process has
expect_text descriptors "$(awk -v p="$opens" '$1 == p && $4 == "-" && ($6 == "made" || $6 == "two") && $3 < 3' <<<"$out")" ""
expect_text "other processes" "$(awk -v p="$opens" 'NR > 1 && NF && $1 != p' <<<"$out")" ""
run -x
expect_text "failed ones" "$(ours | awk '{ print $1 }' | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" "1 EFAULT 3 ENOENT "
run -n nosuchname
expect_text "another name" "$(grep -c . <<<"$out")" 1
run --output=json:out.json
expect_text "paths in JSON" "$(jq -r '.items[]? | select(.values?[3].value == "ENOENT") | .values[5].value' out.json | grep nosuch | tr '\n' ' ')" "nosuch0 nosuch1 nosuch2 "
tool opensnoop -p $$ -d 1
expect_text "of a process that opens nothing" "$(grep -c . <<<"$out")" 1
tool opensnoop -h
expect_match stdout "$out" '^opensnoop: '
finish
