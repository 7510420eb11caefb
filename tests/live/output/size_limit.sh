#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A limit of file sizes (ulimit -f) fails the write with a message, for each kind of output; and a command of -c has the limit and
# the signal as it would without dtrace.
# @vm no: the text of messages
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

# dtrace itself takes files in memory, of some hundred kB
size=4000
begun=$((size * 1024 - 1))
# shellcheck disable=SC2016
program='BEGIN { printf("%9000d", 1); @a[stack()] = count(); @b["a name that is long enough"] = quantize(1); exit(0); }'

limited() { # WHAT OPTION...
	status=0
	(ulimit -f $size; exec timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" "${@:2}" -qn "$program") \
		>>out.txt 2>err.txt </dev/null || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: "*"failed to write to $1: File too large" ]] ||
		complain "$*: status $status, $(<err.txt)"
}

for format in text json csv folded; do # others begin anew
	rm -f f
	truncate -s $begun f
	limited f --output=$format:f
done
truncate -s $begun f2 out.txt
limited f2 -o f2
limited '<stdout>'
rm -f out.txt
status=0
(ulimit -f $size; exec "$DTRACE" -qn 'BEGIN { }' -c 'sh -c "head -c 5000000 /dev/zero >big"') >out.txt 2>err.txt || status=$?
[[ $(stat -c %s big) == $((size * 1024)) && $(<err.txt) == *"File size limit exceeded"* ]] ||
	complain "the command: status $status, $(<err.txt)"
exit $bad
