# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="Python's tests of sqlite3, asyncio and ctypes"
commands="/usr/bin/python3"
modules="python3.* libsqlite3.so* libffi.so*" stepped="libffi.so*:" usdt='python$target:::' in_sample=1
build() {
	/usr/bin/python3 -c 'import test.test_asyncio, ctypes.test' || { echo "libpython3-testsuite is not installed"; return 1; }
}
suite() {
	local tests="test.test_sqlite3 test.test_asyncio ctypes.test test.test_generators test.test_exceptions test.test_threading"
	[[ $1 == small ]] && tests="ctypes.test.test_callbacks test.test_asyncio.test_queues test.test_generators test.test_sqlite3.test_factory"
	cd "$HOME" && /usr/bin/python3 -m unittest $tests
}
normal() { grep -E '^(Ran|OK|FAILED|FAIL:|ERROR:)' | sed -E 's/ in [0-9.]+s$//'; }
