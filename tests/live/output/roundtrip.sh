#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The programs of the other live tests with two outputs, text and JSON: tests/roundtrip/json2text makes
# the same text of the latter, and dtrace --view the same text, JSON, CSV and folded stacks.  What members its
# objects have is in docs/json.md.
# @vm no: the programs of the other tests again, for what prints them
# @timeout 900
set -u
back=$SRCDIR/tests/roundtrip/json2text
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

# What cannot be told from JSON: ^C prints an empty line.
skipped() {
	[[ $1 == agg/interrupt ]]
}

# The directives of all programs, as tests/run reads them: ${directive[FILE NAME]}
declare -A directive
read_directives() { # FILE...
	local file name value
	while IFS=$'\t' read -r file name value; do
		directive[$file $name]=$value
	done < <(awk '
		FNR == 1 { over = 0 }
		over { next }
		{
			line = $0; sub(/\*\/.*/, "", line); sub(/^[ \t\/*#]*/, "", line)
			if (line ~ /^@/) {
				key = line; sub(/[ \t].*/, "", key)
				sub(/^@[a-z]+[ \t]*/, "", line); sub(/[ \t]+$/, "", line)
				if (!seen[FILENAME, key]++)
					print FILENAME "\t" substr(key, 2) "\t" line
			}
		}
		/\*\// { over = 1 }' "$@")
}

round_trip() { # FILE
	local d=$1 dir=${1%/*} t bin
	local -a args=() with=()
	DIR=$dir eval "args=(${directive[$d args]-})"
	t=${directive[$d trigger]-}
	if [[ -n $t ]]; then
		for bin in "$BUILD/${dir#"$SRCDIR"/}/${t%% *}" "$BUILD/tests/live/triggers/${t%% *}"; do
			[[ -x $bin ]] && ln -sf "$bin" . && break
		done
		with=(-c "./$t")
	fi
	cp "$d" .
	rm -f text json csv folded view.*
	timeout $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" --output=text:text --output=json:json \
		--output=csv:csv --output=folded:folded "${with[@]}" -s "${d##*/}" "${args[@]}" \
		</dev/null >stdout 2>stderr
	# a program that is refused says nothing
	[[ -s json ]] || { [[ ! -s text ]]; return; }
	cat json >>all.json
	"$back" "${with[@]}" -s "${d##*/}" "${args[@]}" <json >back 2>&1 || { tail -n 3 back; return 1; }
	cmp -s text back || { diff -u text back | head -n 30; return 1; }
	"$DTRACE" --view json --output=json:view.json --output=csv:view.csv --output=folded:view.folded --output=text:view.text 2>view.err ||
		{ cat view.err; return 1; }
	for f in text json csv folded; do
		cmp $f view.$f || { diff -a $f view.$f | head -c 2000; return 1; }
	done
}

ran=0 failed=0
rm -f all.json
[[ $# -gt 0 ]] || { all=1; set -- "$SRCDIR"/tests/live/*/*.d; }
read_directives "$@"
for d; do
	name=${d#"$SRCDIR"/tests/live/}
	[[ -e ${d%.d}.out || -e ${d%.d}.r ]] || continue
	skipped "${name%.d}" && continue
	[[ -z ${directive[$d needs]-} ]] || continue
	ran=$((ran + 1))
	round_trip "$d" || { echo "$name: the text made from JSON differs"; failed=1; }
done
[[ $ran -gt 200 || ! ${all-} ]] || { echo "only $ran programs were found"; failed=1; }
[[ ! ${all-} ]] || "$SRCDIR/tests/roundtrip/documented" "$SRCDIR/docs/json.md" <all.json || failed=1
exit $failed
