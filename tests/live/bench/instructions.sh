#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints how many instructions ten one-liners have, and the programs in C that do the same. This fails if one has more than
# 1.2 times as many, or if a count is not what the kernel gets.
# @vm no: does not depend on the kernel
# @needs strace
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
OURS_ONLY=1 "$SRCDIR/bench/run" -o . instructions || exit 1
# shellcheck disable=SC2016
jq -re '.sections[0].rows | if length != 10 then "\(length) rows" else .[] |
	select(.tools.dtrace.median > .tools.clang.median * 1.2) |
	"too large: \(.label)" end' results.json && exit 1

# libbpf loads a program with the run-time functions that it calls
strace -f -e trace=bpf "$DTRACE" -qn 'syscall::read:return { @ = quantize(arg0); } BEGIN { exit(0); }' 2>trace >/dev/null
loaded=$(sed -n 's/.*BPF_PROG_LOAD.*insn_cnt=\([0-9]*\).*prog_name="dt_prog_0".*/\1/p' trace)
"$DTRACE" -x dump=bpf -en 'syscall::read:return { @ = quantize(arg0); }' 2>quant.dump
read -r _ _ counted _ < <("$SRCDIR/bench/instructions.py" "$BUILD/src/rt/rt.bpf.o" "$BUILD/bench/instructions.bpf.o" \
	quant.dump)
[[ -n $loaded && $loaded == "$counted" ]] || {
	echo "the kernel got ${loaded:-no} instructions, counted are $counted"
	exit 1
}
