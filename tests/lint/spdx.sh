#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each source file names its licence in its first lines; what is part of BPF programs may join the kernel.
cd "$SRCDIR" || exit 1
find include src cmd viz bench tests -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.css' |
	grep -v '^tests/.*/data/' | sort | xargs awk '
	function wanted(f) {
		if (f ~ /^src\/rt\// || f ~ /^src\/arch\/(arch|arch\.bpf|syscalls_table|[a-z0-9_]+\/machine|[a-z0-9_]+\/arch\.bpf)\.h$/ || f ~ /^src\/abi\/(kernel\.h|flags\.def|flags\.h|flags_table\.h|syscalls\.def|syscalls\.h|usdt\.h|returns\.h|function\.h|unwind\.h|managed\.h|stacks\.h|runtime\.def)$/)
			return "BSD-2-Clause OR GPL-2\\.0"
		if (f ~ /\.bpf\.c$/)
			return ""
		return "Apache-2\\.0"
	}
	FNR <= 3 && $0 ~ "SPDX-License-Identifier: \\(?" wanted(FILENAME) { ok[FILENAME] = 1 }
	FNR == 3 { nextfile }
	END {
		for (i = 1; i < ARGC; i++)
			if (!(ARGV[i] in ok)) {
				print ARGV[i] ": no SPDX line, or not " wanted(ARGV[i])
				bad = 1
			}
		exit bad
	}'
