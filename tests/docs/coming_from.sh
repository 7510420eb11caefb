#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the D examples in the tables of docs/coming-from.md, or of PAGE: the code in the last column of each row.
#
# - "dtrace ..." is a command. It runs with -e, unless it only lists something.
# - Code with a clause or the name of a probe is a program. Probes that depend on the kernel, on its hardware or on a program
#   need not exist (-Z).
# - Other code is the statements of a clause. Code that begins with "-" or "/" is an option or a file.
set -u
page=$SRCDIR/docs/${PAGE:-coming-from.md}
column=${COLUMN:-2} least=${LEAST:-120}
export PATH=${DTRACE%/*}:$PATH LC_ALL=C
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
echo 'BEGIN { exit(0); }' >prog.d
echo 'BEGIN { trace($1); trace($$2); }' >args.d
status=0 ran=0

compile() { # CODE
	local code=$1 words
	local -a command=(dtrace -e)
	ran=$((ran + 1))
	case $code in
	-* | /*) ran=$((ran - 1)); return ;;
	'dtrace --doctor') command=(sh -c 'dtrace --doctor >/dev/null') ;;
	'dtrace '*)
		words=${code#dtrace }
		words=${words//PID/$$}
		case $words in
		-l*) words="$words >/dev/null" ;;
		--output=*) ;;
		*) words="-e $words" ;;
		esac
		command=(bash -c "dtrace $words")
		;;
	*'{'* | BEGIN | END | *:*:* | profile-* | tick-*)
		[[ ! $code =~ ^(fbt|pid|python|hotspot|cpc|sdt:nfs|postgresql) ]] || command+=(-Z)
		[[ $code != *'$target'* ]] || command+=(-c 'bash --version')
		command+=(-wn "$code")
		;;
	*) command+=(-wn "syscall::read:return { $code; }" -x defaultargs) ;;
	esac
	timeout "$((20 * ${TIMEOUT_SCALE:-1}))" "${command[@]}" >out 2>&1 </dev/null || { status=1; echo "$code: $(<out)"; }
}

while IFS= read -r cell; do
	# ``code`` or `code`
	while [[ $cell =~ (\`\`([^\`]+\`[^\`]*)\`\`|\`([^\`]+)\`)(.*)$ ]]; do
		cell=${BASH_REMATCH[4]}
		compile "${BASH_REMATCH[2]:-${BASH_REMATCH[3]}}"
	done
done < <(sed 's/\\|/\x01/g' "$page" | awk -F'|' -v column="$column" '/^\|/ && !/^\|---/ { print $(column + 1) }' | sed 's/\x01/|/g')
[[ $ran -ge $least ]] || { echo "only $ran examples"; exit 1; }
echo "$ran examples"
exit $status
