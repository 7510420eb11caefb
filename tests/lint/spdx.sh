#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each source file names its licence in its first lines; what is part of BPF programs may join the kernel.
cd "$SRCDIR" || exit 1
status=0
while read -r f; do
	case $f in
	src/rt/* | src/abi/kernel.h | src/abi/flags.def | src/abi/flags.h | src/abi/flags_table.h | src/abi/syscalls.def | src/abi/syscalls.h | src/abi/syscalls_table.h | src/abi/usdt.h | src/abi/function.h | src/abi/unwind.h | src/abi/managed.h | src/abi/stacks.h | src/abi/runtime.def) want='BSD-2-Clause OR GPL-2.0' ;;
	*.bpf.c) want='.*' ;;
	*) want=Apache-2.0 ;;
	esac
	head -n 3 "$f" | grep -qE "SPDX-License-Identifier: \(?$want" || { echo "$f: no SPDX line, or not $want"; status=1; }
done < <(find include src cmd viz bench tests -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.css' | grep -v '^tests/.*/data/' | sort)
exit $status
