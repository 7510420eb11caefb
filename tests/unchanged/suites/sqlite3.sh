# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="sqlite3's own tests: select, joins, triggers, functions, damaged files"
proof='^0 errors out of [1-9]'
source=sqlite3 commands="gcc make tclsh" limit=900
modules="testfixture" stepped='testfixture:sqlite3VdbeExec testfixture:sqlite3BtreeInsert testfixture:sqlite3Malloc'
build() {
	./configure --disable-shared CFLAGS='-O2 -g1' && make -j2 testfixture
}
suite() {
	local t tests="select1 join trigger1 json101 corrupt2 func"
	[[ $1 == small ]] && tests="select1"
	cd "$HOME" || return
	for t in $tests; do
		"$OLDPWD/testfixture" "$OLDPWD/test/$t.test" || return
	done
}
normal() { grep -E '^(!|[a-z0-9.-]+\.\.\. |[0-9]+ errors|SQLite|Failures)' | grep -v 'microseconds' | sed -E 's/ in [0-9.]+ ?s.*//'; }
