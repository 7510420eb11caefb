# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Measures commands and prints tables, for bench/run, which sets the variables that are used here.

# ---- measuring: value[KEY] collects one number a run

declare -A value=()
add() { value[$1]+="$2 "; }
# Of an even number of runs it is the mean of the two middle ones.
median() {
	tr ' ' '\n' <<<"${value[$1]:-}" | grep . | sort -n |
		awk '{ v[NR] = $1 } END { if (NR) printf "%.2f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# another_round COUNT: true COUNT times in a section. Before each round the arithmetic of bench/clock shows how much the
# machine is disturbed.
round=0 disturbances=''
another_round() {
	[[ $round -lt $1 ]] || return 1
	round=$((round + 1))
	local pinned=()
	[[ ! $section =~ ^(cost|events|uprobes|growth)$ ]] || pinned=("$CPU")
	disturbances+=$("$B/clock" noise "$NOISE_LOOPS" "${pinned[@]}" | tr ' ' /)' '
}
calc() { awk "BEGIN { printf \"%.2f\", $1 }" 2>/dev/null; }
ratio() { [[ -n $1 && -n $2 ]] && awk "BEGIN { if ($2 > 0) printf \"%.2f\", $1 / $2; else printf \"-\" }" || printf '-'; }

# complain WHY: a measurement of this section has failed; $W/out has the output of its command, if there is any
complain() {
	echo "bench: $section: $1" >&2
	[[ -s $W/out ]] && head -n 5 "$W/out" | sed 's/^/       /' >&2
	incomplete[$section]+="$1; "
}

# leave_out WHY: this machine cannot run the section, or a part of it
leave_out() {
	note "Left out: $1."
	echo "bench: $section: left out: $1" >&2
	incomplete[$section]+="left out: $1; "
}

# clocked KEY COMMAND...: KEY.ms and KEY.mb, output in $W/out
clocked() {
	local key=$1 start end rss cpu status
	shift
	rm -f "$W/clock"
	timeout 300 "$B/clock" run "$W/clock" "$@" >"$W/out" 2>&1 </dev/null
	read -r start end rss cpu status <"$W/clock" || { complain "no time for: $*"; return 1; }
	[[ $status == 0 ]] || { complain "status $status from: $*"; return 1; }
	add "$key.ms" "$(calc "($end - $start) / 1e6")"
	add "$key.cpu" "$(calc "$cpu / 1e3")"
	add "$key.mb" "$(calc "$rss / 1024")"
}

# around KEY COMMAND...: with -c "clock stamp"; KEY.live and KEY.gone, ms until the child ran, and after it
around() {
	local key=$1 start end rest child
	shift
	rm -f "$W/clock" "$W/stamp"
	timeout 300 "$B/clock" run "$W/clock" "$@" -c "${CHILD:+$CHILD }$B/clock stamp $W/stamp" >"$W/out" 2>&1 </dev/null
	if ! read -r start end rest <"$W/clock" || ! read -r child <"$W/stamp"; then
		complain "no time for: $*"
		return 1
	fi
	[[ ${rest##* } == 0 ]] || { complain "status ${rest##* } from: $*"; return 1; }
	add "$key.live" "$(calc "($child - $start) / 1e6")"
	add "$key.gone" "$(calc "($end - $child) / 1e6")"
}

# cost KEY MINIMUM COMMAND...: KEY.ns of one getppid(2), "ns/reference" to be scaled; the largest
# number printed must reach MINIMUM
cost() {
	local key=$1 least=$2 ns reference count
	shift 2
	rm -f "$W/ns"
	timeout 300 "$@" >"$W/out" 2>&1 </dev/null || { complain "failed: $*"; return 1; }
	read -r ns reference <"$W/ns" || { complain "no time from: $*"; return 1; }
	if [[ $least != 0 ]]; then
		count=$(grep -E '(^|[^a-z])(getppid|@|[0-9]+ *$)' "$W/out" | grep -oE '[0-9]+' | sort -n | tail -n 1)
		[[ $((10#${count:-0})) -ge $least ]] || { complain "counted ${count:-nothing}, not $least: $*"; return 1; }
	fi
	add "$key.ns" "$ns/$reference"
	[[ -n ${CLOCK:-} || ($fastest != 0 && $fastest -le $reference) ]] || fastest=$reference
}
fastest=${CLOCK:-0}

# loaded KEY COUNT COMMAND...: run COMMAND, which traces COUNT calls of bench/burst. KEY.call and KEY.each: CPU time of the
# traced program and of the tracer for each call, ns; KEY.ms and KEY.gone: from exec, and from the end of the calls, to the
# prompt; KEY.lost: records that the tracer reports lost. The output goes to /dev/null, messages to $W/out.
loaded() {
	local key=$1 count=$2 start end rss cpu status used stop
	shift 2
	rm -f "$W/clock" "$W/burst"
	timeout 300 "$B/clock" run "$W/clock" "$@" >/dev/null 2>"$W/out" </dev/null
	if ! read -r start end rss cpu status <"$W/clock" || ! read -r used stop <"$W/burst"; then
		complain "no time for: $*"
		return 1
	fi
	[[ $status == 0 ]] || { complain "status $status from: $*"; return 1; }
	add "$key.call" "$(calc "$used * 1e3 / $count")"
	add "$key.each" "$(calc "($cpu - $used) * 1e3 / $count")"
	add "$key.ms" "$(calc "($end - $start) / 1e6")"
	add "$key.gone" "$(calc "($end - $stop) / 1e6")"
	add "$key.mb" "$(calc "$rss / 1024")"
	add "$key.lost" "$(sed -nE 's/^dtrace: ([0-9]+) (aggregation )?drops? on CPU .*/\1/p; s/^.*Lost ([0-9]+) events.*/\1/p' "$W/out" |
		awk '{ n += $1 } END { print n + 0 }')"
}

# rate KEY COMMAND...: COMMAND prints thousands a second; KEY.rate is in millions
rate() {
	local key=$1 rate
	shift
	rate=$(timeout 300 "$@" 2>"$W/out") && [[ -n $rate ]] || { complain "failed: $*"; return 1; }
	add "$key.rate" "$(calc "$rate / 1e3")"
}

# Convert each "ns/reference" to the time at the fastest clock rate, after all runs.
scale() {
	local key v scaled
	for key in "${!value[@]}"; do
		[[ $key == *.ns ]] || continue
		scaled=
		for v in ${value[$key]}; do
			scaled+="$(calc "$v * $fastest") "
		done
		value[$key]=$scaled
	done
}

has_bpftrace() { [[ -n $BPFTRACE ]]; }

# ---- printing

# A table: rows of cells separated by tabs, the first one is the heading.
table() {
	if [[ $markdown == 1 ]]; then
		awk -F'\t' '{ line = "|"; for (i = 1; i <= NF; i++) line = line " " $i " |"; print line }
			NR == 1 { line = "|---|"; for (i = 2; i <= NF; i++) line = line "---:|"; print line }'
	else
		column -t -s "$(printf '\t')" | sed 's/^/  /'
	fi
	echo
}
title() {
	echo "$1" >"$W/title"
	[[ $markdown == 1 ]] && printf '## %s\n\n' "$1" || printf '%s\n\n' "$1"
}
note() { printf '%s\n\n' "$1"; }
row() { local IFS=$'\t'; printf '%s\n' "$*"; }
or_dash() { printf '%s' "${1:--}"; }

# record LABEL TOOL KEY [UNTRACED [MOST]]: keep the samples of KEY for the JSON, less the median of UNTRACED. LABEL ends with
# ", UNIT"; $group comes before it.
group=
record() {
	local unit=${1##*, } base=''
	[[ $1 == *", "* ]] || unit=count
	[[ -z ${4:-} ]] || base=$(median "$4")
	[[ -z ${value[$3]:-} ]] || row "$section" "${group:+$group: }${1%", $unit"}" "$unit" "${5:--}" "$2" "${base:-0}" \
		"${value[$3]}" >>"$W/rows"
}
# recorded LABEL KEY [UNTRACED [MOST]]: by both tools
recorded() {
	record "$1" dtrace "ours.$2" "${3:-}" "${4:--}"
	record "$1" bpftrace "bpftrace.$2" "${3:-}" "${4:--}"
}

# versus LABEL KEY TARGET: ours, what it should be at most, bpftrace's, bpftrace's over ours
versus() {
	recorded "$1" "$2" '' "$3"
	versus_row "$@"
}
versus_row() {
	local ours theirs
	ours=$(median "ours.$2") theirs=$(median "bpftrace.$2")
	row "$1" "$(or_dash "$ours")" "$3" "$(or_dash "$theirs")" "$(ratio "$theirs" "$ours")"
}

