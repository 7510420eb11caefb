# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="PHP's tests of fibers and generators"
source=php8.2 commands="php8.2" in_sample=1 usdt='php$target:::'
modules_in_sample="php8.2:zend_*fiber* php8.2:zend_call* php8.2:zend_generator* php8.2:zend_throw*"
modules="php8.2" stepped='php8.2:zend_fiber* php8.2:zend_call_function'
suite() {
	local folders="Zend/tests/fibers Zend/tests/generators Zend/tests/try"
	[[ $1 == small ]] && folders=$(set +f; echo Zend/tests/fibers/*throw*.phpt Zend/tests/fibers/*gc*.phpt)
	# its report has times
	TEST_PHP_EXECUTABLE=/usr/bin/php8.2 NO_INTERACTION=1 php8.2 run-tests.php -n -q --no-color --no-clean $folders |
		grep -E '^(PASS|FAIL|SKIP|WARN|BORK|LEAK|XFAIL)'
}
normal() { sed -E 's/.*\r//' | sort; }
