# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="Ruby's tests of fibers, exceptions and enumerators"
proof='^\[.*#test_'
source=ruby3.1 commands="ruby3.1" usdt='ruby$target:::'
all_modules="libruby-3.1.so*" limit=900
# without those of the garbage collector, which some tests start at each allocation
modules=$(printf 'libruby-3.1.so*:%s ' 'rb_fiber*' rb_ensure rb_protect 'rb_rescue*' 'rb_exc_*' rb_raise 'rb_throw*' 'rb_yield*' \
	'rb_vm_*' 'rb_ec_*' 'rb_proc_*' 'rb_enum*' 'rb_backtrace*' 'rb_thread_*' \
	'rb_mutex_*' 'rb_block_*' 'rb_funcall*' 'rb_call*' 'rb_catch*' 'rb_iter*' 'rb_str_*' 'rb_ary_*' 'rb_obj_*' 'rb_class_*')
noreturn="libruby-3.1.so*:rb_raise libruby-3.1.so*:rb_throw*"
stepped='libruby-3.1.so*:rb_fiber* libruby-3.1.so*:rb_ensure libruby-3.1.so*:rb_protect'
suite() {
	local f tests="fiber exception enumerator lazy_enumerator proc backtrace"
	export RUBY_TEST_TIMEOUT_SCALE=60 # some start a program and wait ten seconds
	[[ $1 == small ]] && tests="fiber"
	for f in $tests; do
		ruby3.1 -W0 -Itest/lib -Itool/lib tool/test/runner.rb -v --seed=1 "test/ruby/test_$f.rb"
	done
}
normal() { sed -E 's/ = [0-9.]+ s//; s/^(Run options|Finished|[0-9.]+ tests).*//; s/[0-9.]+ (tests|assertions)\/s//g; s/0x[0-9a-f]+/0xN/g; s/\bpid [0-9]+/pid N/' | sort; }
