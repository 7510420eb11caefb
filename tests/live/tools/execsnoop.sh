#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# execsnoop prints each program that a process executes, with its arguments, and with -x calls that fail.
. "${0%/*}/proc.sh"

trigger() {
	/bin/true one 'two words'
	/bin/false
	for i in 1 2 3 4 5; do /bin/true "$i"; done
	/nosuch/program one
	/etc/passwd
}

tool_on_trigger execsnoop -P @
expect_status 0
expect_err ""
expect_match stdout "$out" '^PCOMM +PID +PPID RET +ARGS
'
want='true 0 /bin/true one two words
false 0 /bin/false
true 0 /bin/true 1
true 0 /bin/true 2
true 0 /bin/true 3
true 0 /bin/true 4
true 0 /bin/true 5'
# name, result and arguments of the children of PID
of() { awk -v ppid="$1" '$3 == ppid { $2 = ""; $3 = ""; print }' <<<"$out" | tr -s ' '; }
expect_text programs "$(of "$trigger")" "$want"
expect_text lines "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 7

# without -P, both processes; -n and -x; an independent count by strace, which counts calls and errors
tool_on_trigger execsnoop -x
expect_text "with errors" "$(of "$trigger")" "$want
program ENOENT /nosuch/program
passwd EACCES /etc/passwd"
expect_text "the other's" "$(of "$other")" "$(of "$trigger")"
tool_on_trigger execsnoop -P @ -n false
expect_text "of one name" "$(of "$trigger")" "false 0 /bin/false"
if command -v strace >/dev/null; then
	tool_on_trigger execsnoop -n true -P @
	export -f trigger
	strace -f -e trace=execve -o strace.txt bash -c 'trigger 2>/dev/null; :'
	expect_text "as strace counts" "$(of "$trigger" | wc -l)" "$(grep -c 'execve("/bin/true".* = 0$' strace.txt)"
fi
# the process that executes
tool execsnoop -p $$ -d 1
expect_text "of a process that executes nothing" "$(awk 'NR > 1 && NF' <<<"$out")" ""
tool_on_trigger execsnoop -x -P @ --output=json:out.json
expect_text JSON "$(lines_of 2 "$trigger" | cut -d ' ' -f 1,4)" "$(printf '%s\n' 'true 0' 'false 0' 'true 0' 'true 0' 'true 0' 'true 0' 'true 0' 'program ENOENT' 'passwd EACCES')"
tool execsnoop -h
expect_match stdout "$out" '^execsnoop: '
finish
