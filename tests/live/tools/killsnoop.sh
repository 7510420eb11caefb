#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# killsnoop prints each signal that a process sends, by any of the system calls, with the receiver and the result.
. "${0%/*}/proc.sh"

trigger() {
	sleep 30 &
	kill -0 $!
	kill -URG $!
	kill -TERM $!
	echo $!
	wait
	kill -USR1 2147483647
}

tool_on_trigger killsnoop -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +UID +PID COMM +SIG +TPID RESULT
'
# of PID: signal, receiver, result
of() { awk -v pid="$1" '$2 == pid { print $4, $5, $6 }' <<<"$out"; }
sleeper=$(cat trigger.txt)
sent="0 $sleeper 0
SIGURG $sleeper 0
SIGTERM $sleeper 0
SIGUSR1 2147483647 ESRCH"
expect_text signals "$(of "$trigger")" "$sent"
expect_text lines "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 4
tool_on_trigger killsnoop -p @ -x
expect_text failures "$(of "$trigger")" "SIGUSR1 2147483647 ESRCH"
tool_on_trigger killsnoop -p @ -s 15
expect_text "of one signal" "$(of "$trigger")" "SIGTERM $(cat trigger.txt) 0"
tool_on_trigger killsnoop -n killsnoop.sh
expect_text "the other's" "$(of "$other" | awk '{ print $1, $3 }')" "$(awk '{ print $1, $3 }' <<<"$sent")"
tool killsnoop -T $$ -d 1
expect_text "to a process that gets none" "$(awk 'NR > 1 && NF' <<<"$out")" ""

# the other calls
if command -v python3 >/dev/null; then
	trigger() {
		python3 -c 'import os, signal, threading
signal.pthread_kill(threading.get_ident(), 0)
fd = os.pidfd_open(os.getpid())
signal.pidfd_send_signal(fd, signal.SIGURG)
print(os.getpid())'
	}
	tool_on_trigger killsnoop
	python=$(cat trigger.txt)
	expect_text "tgkill and pidfd" "$(of "$python")" "0 $python 0
SIGURG $python 0"
fi
tool_on_trigger killsnoop --output=json:out.json
[[ -z ${python:-} ]] || expect_text JSON "$(lines_of 1 "$(cat trigger.txt)" | wc -l)" 2
tool killsnoop -h
expect_match stdout "$out" '^killsnoop: '
finish
