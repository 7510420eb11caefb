# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="Ruby's tests of fibers, exceptions and enumerators"
source=ruby3.1 commands="ruby3.1" usdt='ruby$target:::'
modules="libruby-3.1.so*" stepped='libruby-3.1.so*:rb_fiber* libruby-3.1.so*:rb_ensure libruby-3.1.so*:rb_protect'
suite() {
	local f tests="fiber exception enumerator lazy_enumerator proc backtrace"
	[[ $1 == small ]] && tests="fiber"
	for f in $tests; do
		ruby3.1 -W0 -Itest/lib -Itool/lib tool/test/runner.rb -v -j0 "test/ruby/test_$f.rb"
	done
}
normal() { sed -E 's/ = [0-9.]+ s//; s/^(Run options|Finished|[0-9.]+ tests).*//; s/[0-9.]+ (tests|assertions)\/s//g; s/0x[0-9a-f]+/0xN/g; s/--seed=[0-9]+//' | sort; }
