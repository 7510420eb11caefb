# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154,SC2016
# The section growth of bench/run: is the cost of a firing the same with one probe and with 5,000, and with an empty and with a
# full map?

# number of probes, the descriptions
growth_probes="\
1|many_0
10|many_?
110|many_? many_??
1110|many_? many_?? many_???
5000|many_*"

# keys that the map has, of which 16 are counted; 200,000 do not fit
growth_keys="16 1000 16000 200000"

growth_row() { # LABEL KEY FIRST
	local ns first
	ns=$(added "$2" untraced.many) first=$(added "$3" untraced.many)
	record "$1, ns" dtrace "$2.ns" untraced.many.ns
	row "$1" "$(or_dash "$ns")" "$(ratio "$ns" "$first")"
}

bench_growth() {
	local run="$B/many 0 $EVENTS $EVENT_BATCHES $W/ns $CPU" n f functions keys=$growth_keys
	[[ $selftest == 0 ]] || keys="16 1000"
	while another_round "$ROUNDS"; do
		# shellcheck disable=SC2086
		cost untraced.many 0 $run
		while IFS='|' read -r n functions; do
			d=''
			for f in $functions; do d+=${d:+, }'pid$target:a.out:'$f:entry; done
			[[ $selftest == 0 || $n != 5000 ]] || continue
			cost "probes.$n" $((EVENTS * EVENT_BATCHES)) "$DTRACE" -qn "$d { @ = count(); }" -c "$run"
		done <<<"$growth_probes"
		for n in $keys; do
			cost "keys.$n" 1 "$DTRACE" -q -x aggsize=1m -n 'pid$target:a.out:many_0:entry { @[arg0] = count(); }' -c "${run/ 0 / $n }"
		done
	done
	scale
	title 'Does the cost grow?'
	{
		row 'probes enabled' 'a firing, ns' 'to one probe'
		while IFS='|' read -r n functions; do
			[[ $selftest == 0 || $n != 5000 ]] || continue
			growth_row "$n" "probes.$n" probes.1
		done <<<"$growth_probes"
	} | table
	{
		row 'keys in the map' 'a firing, ns' 'to 16 keys'
		for n in $keys; do growth_row "$n" "keys.$n" keys.16; done
	} | table
	note "\`pid\$target:a.out:many_0:entry\` is called, whatever else is enabled; \`@[arg0] = count()\` with aggsize=1m, of which 16 keys are counted."
}
