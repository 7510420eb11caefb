# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="Go's tests of sort, strings, json, context, and of growing stacks and panics in its runtime"
proof='^PASS$'
commands="go" modules="*.test"
build() {
	local p
	for p in sort strings encoding/json context container/heap sync runtime; do
		go test -c -o "$(basename $p).test" "$p" || return
	done
}
suite() {
	local p packages="sort strings json context heap sync"
	[[ $1 == small ]] && packages="sort heap"
	for p in $packages; do ./$p.test -test.v -test.short || return; done
	[[ $1 == small ]] || ./runtime.test -test.v -test.short -test.run 'Stack|Panic|Defer|Recover|Goexit|Chan|GC$' || return
}
normal() { grep -E '^ *--- |^(PASS|FAIL|ok|panic)' | sed -E 's/\([0-9.]+s\)//' | sort; }
