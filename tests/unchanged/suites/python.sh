# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="Python's tests of sqlite3, asyncio, ctypes, generators, exceptions and threads"
proof='^Ran [1-9][0-9]+ tests'
source=$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])' 2>/dev/null)
commands="/usr/bin/python3" in_sample=1
all_modules="python3.* libsqlite3.so* libffi.so*" stepped="libffi.so*:"
modules="python3.*:_PyEval_* python3.*:PyObject_Call* python3.*:PyGen_* python3.*:PyThread_* libsqlite3.so* libffi.so*"
# the package of tests does not have all of them
unpack() {
	tar -xf python3*.orig.tar.* -C tree --strip-components=3 --wildcards '*/Lib/test/test_sqlite3'
}
build() {
	/usr/bin/python3 -c 'import test.test_asyncio' || { echo "libpython3-testsuite is not installed"; return 1; }
	echo "import os, test; test.__path__.append(os.path.dirname(__file__))" >sitecustomize.py
}
suite() {
	local tests="ctypes.test test.test_generators test.test_exceptions test.test_threading"
	tests+=$(printf ' test.test_asyncio.test_%s' base_events futures locks queues runners sock_lowlevel streams subprocess tasks)
	[[ $1 == small ]] && tests="test.test_sqlite3.test_factory ctypes.test.test_callbacks test.test_generators"
	export PYTHONPATH=$PWD
	[[ $1 == small ]] || tests+=$(cd test_sqlite3 && printf ' test.test_sqlite3.%s' $(basename -s .py test_*.py))
	cd "$HOME" && /usr/bin/python3 -m unittest $tests
}
normal() { grep -E '^(Ran|OK|FAILED|FAIL:|ERROR:)' | sed -E 's/ in [0-9.]+s$//'; }
