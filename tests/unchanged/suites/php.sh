# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="PHP's tests of fibers and generators"
proof='^PASS '
source=php8.2 commands="php8.2" in_sample=1 usdt='php$target:::'
modules="php8.2:zend_*fiber* php8.2:zend_call* php8.2:zend_generator* php8.2:zend_throw*"
all_modules="php8.2" limit=900
stepped='php8.2:zend_fiber* php8.2:zend_call_function'
tests() { # FOLDER...
	# its report has times
	php8.2 run-tests.php -n -q --no-color --no-clean "$@" | sed -E 's/.*\r//' | grep -E '^(PASS|FAIL|SKIP|WARN|BORK|LEAK|XFAIL)'
}
suite() {
	local folders="Zend/tests/fibers Zend/tests/generators Zend/tests/try"
	[[ $1 == small ]] && folders=$(set +f; echo Zend/tests/fibers/*throw*.phpt Zend/tests/fibers/*gc*.phpt)
	export TEST_PHP_EXECUTABLE=/usr/bin/php8.2 NO_INTERACTION=1
	tests $folders
	# with its static probes of functions and exceptions
	[[ $1 == small ]] || USE_ZEND_DTRACE=1 tests Zend/tests/fibers Zend/tests/try
}
normal() { sort; }
