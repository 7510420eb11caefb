#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is true of one machine alone stands in src/arch.  Elsewhere nothing names its registers, its number or relocations in
# ELF files, or its breakpoint.
cd "$SRCDIR" || exit 1

words='EM_X86_64|R_X86_64_[A-Z0-9]+|__x86_64__|0xcc|TS_COMPAT|orig_[re]?ax'
words+='|DT_REG_[A-Z0-9]+|[re]?(ax|bx|cx|dx|si|di|bp|sp)|[re]ip|r(8|9|1[0-5])[bwd]?|[re]flags|fsbase|gsbase'
# words of C and of English are none: si, di, sp, bp, cx and the like as names of variables
bare='ax|bx|cx|dx|si|di|bp|sp|r8|r9|r1[0-5]'

# Prints the lines of FILES that name the machine: in code, comments and strings.
named() { # FILE...
	grep -HnE "(^|[^A-Za-z0-9_])($words)([^A-Za-z0-9_]|\$)" "$@" |
		grep -vE "^[^:]*:[0-9]*:([^\"]|\"[^\"]*\")*(^|[^A-Za-z0-9_\"%])($bare)([^A-Za-z0-9_\"]|\$)" |
		grep -E "(^|[^A-Za-z0-9_])($words)([^A-Za-z0-9_]|\$)"
}

dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
printf '%s\n' 'if (eh.e_machine != EM_X86_64)' '/* what rdi points to */' '{"ax", 0},' 'mov %rsp, %rbp' '#define TRAP 0xcc' >"$dir/bad.c"
printf '%s\n' 'char *sp = text;' 'int di = 0, si;' '0xccc' 'x.axis = taxi;' >"$dir/good.c"
[[ $(named "$dir/bad.c" | wc -l) == 5 ]] || { echo "what names the machine is not found:"; named "$dir/bad.c"; bad=1; }
[[ -z $(named "$dir/good.c") ]] || { echo "what does not name it is found:"; named "$dir/good.c"; bad=1; }

mapfile -t files < <(find src cmd include -name '*.[chS]' -o -name '*.def' | grep -v '^src/arch/' | sort)
named "${files[@]}" && bad=1
exit ${bad:-0}
