#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The manual page names every provider, option, built-in variable and function there is, and mandoc has nothing to say.
cd "$SRCDIR" || exit 1
page=docs/dtrace.8
status=0

# Rows of a table that pass FILTER (awk), first field.
rows() { # FILE MACRO FILTER
	printf '#define %s(...) (__VA_ARGS__)\n#include "src/%s"\n' "$2" "$1" | ${CC:-cc} -E -P -I. -Isrc -x c - |
		tr -s '\n' ' ' | sed 's/) (/)\n(/g' | tr -d '( ' | awk -F, "$3 { print \$1 }"
}

# Words of the page outside of literal text.
words=$(grep -E '^\.(It|Sy|Ic|Cm|Va|Fn) ' $page | tr -cs 'A-Za-z0-9_' '\n' | sort -u)

check() { # WHAT NAMES
	local left
	[[ -n $2 ]] || { echo "no $1 found"; status=1; }
	left=$(comm -23 <(sort -u <<<"$2") <(echo "$words"))
	[[ -z $left ]] || { echo "$1 not in $page:" $left; status=1; }
}
export LC_ALL=C
# USDT's probes have their programs' names
check providers "$(sed -n 's/^\t&provider_\([a-z]*\),$/\1/p' src/prov/providers.c | grep -v '^usdt$')"
check options "$(rows session/options.def OPTION '/,NOW,/')"
check variables "$(rows sema/builtins.def BUILTIN '$2 != "0" && !/^arg[1-8],/')"
check functions "$(rows sema/functions.def FUNCTION '$2 != "LATER" && !/^_/')"
[[ $status == 0 ]] || exit 1

command -v mandoc >/dev/null || { echo "skip: no mandoc"; exit 77; }
# what other pages are installed is not this one's business
! mandoc -T lint $page 2>/dev/null | grep -v 'referenced manual not found'
