#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The kernel's symbols, which take 40 ms to read, are read for the members of io's translators that need one, and only for those.
# Whether they are hidden its first bytes tell.
# @needs strace
# @vm no: needs no kernel of its own
# @ref providers 18.4 fi_name
set -u
. "${0%/*}/../../cli/lib.sh"
"$DTRACE" -en io:::start >/dev/null 2>&1 || { echo "no io provider"; exit 77; }
grep -q ' iomap_dio_bio_end_io$' /proc/kallsyms || { echo "no function that the translator asks for"; exit 77; }

bytes() { # PROGRAM: that are read of the kernel's symbols
	strace -o calls.txt -e trace=openat,read,close "$DTRACE" -qen "$1" || complain "$1: status $?"
	awk '/kallsyms/ { fd = $NF } /^close/ && $0 ~ "\\(" fd "\\)" { fd = "" } fd != "" && $0 ~ "^read\\(" fd "," { n += $NF } END { print n + 0 }' calls.txt
}
n=$(bytes 'io:::start { trace(args[0]->b_bcount); }')
((n < 400000)) || complain "$n bytes were read for a member without a symbol"
n=$(bytes 'io:::start { trace(args[2]->fi_name); }')
((n > 1000000)) || complain "$n bytes were read for a member with one"
finish
