#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A saved session may have, under one name, aggregations with other keys or other buckets: each has a heat map of its
# own, and a graph of its stacks.
# @vm no: no kernel has a part in it
for format in heatmap:out.html heatmap:out.png; do
	"$DTRACE" --view="$SRCDIR/tests/fuzz/corpus/view/other_keys.json" --output=$format || { echo "$format: status $?"; exit 1; }
done
maps=$(grep -o '"name":"q","function":"[a-z]*"' out.html | sort | uniq -c | tr -s ' \n' ' ')
[[ $maps == ' 1 "name":"q","function":"lquantize" 2 "name":"q","function":"quantize" ' ]] || { echo "maps: $maps"; exit 1; }
"$DTRACE" --view="$SRCDIR/tests/fuzz/corpus/view/other_keys.json" --output=speedscope:graphs.json || exit 1
[[ $(grep -o '"name":"@s' graphs.json | wc -l) == 2 ]] || { echo "graphs:"; cat graphs.json; exit 1; }
