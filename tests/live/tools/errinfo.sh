#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# errinfo prints each system call that fails, or counts them; strace counts the same.
. "${0%/*}/proc.sh"

trigger() { for i in {1..20}; do [[ -e /nosuch/$i ]]; [[ -e /etc/passwd/$i ]]; done; }

tool_on_trigger errinfo -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '^EXEC +PID SYSCALL +ERR +DESC
'
errors() { awk -v err="$1" -v pid="$2" '$2 == pid && $3 == "newfstatat" && $4 == err' <<<"$out" | wc -l; }
expect_text ENOENT "$(errors ENOENT "$trigger")" 20
expect_text ENOTDIR "$(errors ENOTDIR "$trigger")" 20
expect_match text "$out" 'newfstatat +ENOTDIR +Not a directory
'
expect_text "of others" "$(awk -v pid="$trigger" 'NR > 1 && NF && $2 != pid' <<<"$out")" ""

tool_on_trigger errinfo -c -p @ -s newfstatat
expect_text counts "$(awk 'NF && $3 ~ /^E[NR]/ && !/SYSCALL/ { print $2, $3, $4 }' <<<"$out" | sort)" $'newfstatat ENOENT 20\nnewfstatat ENOTDIR 20'
if command -v strace >/dev/null; then
	export -f trigger
	strace -c -U errors,name -o strace.txt bash -c trigger
	try "$DTRACE" -c 'bash -c trigger' --tool errinfo -n bash -s newfstatat
	# the one that looks below a file
	by=$(awk '$4 == "ENOTDIR" { print $2; exit }' <<<"$out")
	expect_text "as strace counts" "$(awk -v pid="$by" '$2 == pid' <<<"$out" | wc -l)" \
		"$(awk '$2 == "newfstatat" { print $1 }' strace.txt)"
fi
tool_on_trigger errinfo -n errinfo.sh
expect_text "the other's" "$(errors ENOENT "$other")" 20
tool errinfo -p $$ -d 1
expect_text "of a process that only waits" "$(grep -c newfstatat <<<"$out")" 0
tool_on_trigger errinfo -p @ --output=json:out.json
expect_text JSON "$(lines_of 1 "$trigger" | grep -c ENOTDIR)" 20
tool errinfo -h
expect_match stdout "$out" '^errinfo: '
finish
