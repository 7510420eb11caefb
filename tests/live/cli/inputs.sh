#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that the user names and that never end, or wait: each is refused by name, or read up to a limit.
# @vm no: the command line, the kernel has no part in it
# @ref cli 2 s L
set -u
. "${0%/*}/lib.sh"

# Each ends soon; what waits has status 124.
soon() { try timeout "$((10 * ${TIMEOUT_SCALE:-1}))" "$@"; }

# programs
for mode in -e -G "-h -o x.h"; do
	# shellcheck disable=SC2086 # words
	soon "$DTRACE" $mode -s /dev/zero
	expect_status 1
	expect_err $'dtrace: failed to compile script /dev/zero: the file is a character device\n'
done
soon "$DTRACE" -s /dev/stdin
expect_match stderr "$err" 'empty D program'
soon bash -c 'exec "$1" -s /dev/stdin </dev/zero' - "$DTRACE"
expect_err $'dtrace: failed to compile script /dev/stdin: the file is a character device\n'
soon bash -c 'yes | "$1" -s /dev/stdin' - "$DTRACE"
expect_status 1
expect_err $'dtrace: failed to compile script /dev/stdin: the file is longer than 64 MB\n'
truncate -s 65M long.d
soon "$DTRACE" -s long.d
expect_status 1
expect_err $'dtrace: failed to compile script long.d: the file is longer than 64 MB\n'
mkfifo fifo
soon bash -c 'echo "BEGIN { trace(5); exit(0); }" >fifo & "$1" -qs fifo' - "$DTRACE"
expect_status 0
expect_out $'5\n'
# a program that fails is not read a second time
soon bash -c 'echo "syscall:::entry /0/ { exit(0); } BEGIN { trace(nope); }" >fifo & "$1" -s fifo' - "$DTRACE"
expect_status 1
expect_match stderr "$err" 'failed to resolve nope'

# libraries
mkdir devices fifos folders large
ln -s /dev/zero devices/a.d
mkfifo fifos/a.d
mkdir folders/a.d
mv long.d large/a.d
for folder in devices fifos folders; do
	soon "$DTRACE" -L $folder -e -n BEGIN
	expect_status 1
	expect_match stderr "$err" "\"$folder/a\.d\", line 1: the library is not a regular file"
done
soon "$DTRACE" -L large -e -n BEGIN
expect_status 1
expect_match stderr "$err" '"large/a\.d", line 1: the file is longer than 64 MB'

# saved sessions
soon "$DTRACE" --view /dev/zero
expect_status 1
expect_err $'dtrace: the file /dev/zero is a character device\n'
"$DTRACE" --output=json -qn "BEGIN { @ = count(); exit(0); }" >saved
soon "$DTRACE" --diff /dev/zero --output=flamegraph --view saved
expect_status 1
expect_match stderr "$err" 'the file /dev/zero is a character device'

# objects
printf 'provider p { probe a(); };\n' >p.d
for object in fifo /dev/zero; do
	soon "$DTRACE" -G -s p.d $object
	expect_status 1
	expect_err "dtrace: failed to link script p.d: failed to open $object: it is not a regular file"$'\n'
done

finish
