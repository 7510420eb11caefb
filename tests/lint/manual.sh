#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The manual pages name every provider and its probes, option, built-in variable, function, format conversion, fault and error
# tag, libdtrace(3) every function of the public header, and mandoc finds no fault in the pages.
cd "$SRCDIR" || exit 1
status=0

# Rows of a table that pass FILTER (awk), first field.
rows() { # FILE MACRO FILTER
	printf '#define %s(...) (__VA_ARGS__)\n#include "src/%s"\n' "$2" "$1" | ${CC:-cc} -E -P -I. -Isrc -x c - |
		tr -s '\n' ' ' | sed 's/) (/)\n(/g' | tr -d '( ' | awk -F, "$3 { print \$1 }"
}

# Words of a page outside of literal text.
words() { # PAGE
	grep -E '^\.(It|Sy|Ic|Cm|Va|Fn|Er|Dv) ' "$1" | tr -cs 'A-Za-z0-9_' '\n' | sort -u
}

check() { # WHAT PAGE NAMES
	local left page=$2
	[[ -n $3 ]] || { echo "no $1 found"; status=1; }
	left=$(comm -23 <(sort -u <<<"$3") <(words "$page"))
	[[ -z $left ]] || { echo "$1 not in $page:" $left; status=1; }
}
export LC_ALL=C
# USDT's probes have their programs' names
check providers docs/dtrace-providers.7 "$(sed -n 's/^\t&provider_\([a-z]*\),$/\1/p' src/prov/providers.c | grep -v '^usdt$')"
# the probes of providers that have a table; the calls of syscall, tracepoints and functions are the kernel's
check probes docs/dtrace-providers.7 "$(sed -nE '/^static const struct derived_probe/,/^};/s/^\t\{"([a-z][A-Za-z_-]*)".*/\1/p' src/prov/*.c | tr -c 'A-Za-z0-9_\n' '\n')"
check members docs/dtrace-providers.7 "$(for lib in dlib/*.d; do
	awk '/^typedef struct [a-z]/ { on = /info \{/ } on && /;/ && !/^}/ { sub(/;.*/, ""); sub(/\[.*/, ""); sub(/.*[ *]/, ""); print } /^}/ { on = 0 }' "$lib"
done)"
check options docs/dtrace.8 "$(rows session/options.def OPTION '/,NOW,/')"
check limits docs/dtrace.conf.5 "$(rows session/limits.def LIMIT 1)"
check variables docs/d.7 "$(rows sema/builtins.def BUILTIN '$2 != "0" && !/^arg[1-8],/')"
check functions docs/d.7 "$(rows sema/functions.def FUNCTION '$2 != "LATER" && !/^_/')"
check tags docs/d.7 "$(grep -rhoE '"D_[A-Z0-9_]+"' src | tr -d '"'; grep -rhoE '\[D_[A-Z0-9_]+\]' tests/golden --include='*.err' | tr -d '[]')"
check faults docs/d.7 "$(sed -nE 's/^\tDT_(FAULT)_([A-Z]+)[ ,].*/DTRACEFLT_\2/p' src/abi/kernel.h)"
for letter in $(sed -nE "s/^CONV\('(.)',.*/\1/p" src/lang/format.def); do
	grep -qE "^\.(It|Cm) .*\\\\&%@?$letter( |\$)" docs/d.7 || { echo "conversion %$letter not in docs/d.7"; status=1; }
done
# each function of the header has its declaration, and its comment below that
missing=$(awk '/^DTRACE_API/ { on = 1; line = "" } on { line = line $0 } on && /;$/ { on = 0; print line }' include/dtrace/dtrace.h include/dtrace/script.h |
	grep -oE '[a-z_]+\(' | grep '^dtrace_' | tr -d '(' | sort -u |
	while read -r name; do grep -qE "^[a-z].*\b$name\(" "$BUILD/libdtrace.3" || echo "$name"; done)
[[ -z $missing ]] || { echo "functions not in libdtrace.3:" $missing; status=1; }
[[ $status == 0 ]] || exit 1

command -v mandoc >/dev/null || { echo "skip: no mandoc"; exit 77; }
# what other pages are installed is not this one's business
! mandoc -T lint docs/*.[578] "$BUILD/libdtrace.3" "$BUILD/dtrace-tools.8" 2>/dev/null | grep -v 'referenced manual not found'
