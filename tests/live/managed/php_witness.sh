#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The PHP frames of jstack() are those of debug_backtrace(): functions, files, lines and their order, for methods, closures,
# generators, fibers, destructors, calls through C, eval() and include.
# @needs php8.2
# @timeout 60
php8.2 -r 'exit(function_exists("posix_getppid") ? 0 : 1);' || { echo "needs PHP's extension posix"; exit 77; }
# docs/LIMITS.md
cd "$TMPDIR" || exit 1
cat >witness.php <<'PHP'
<?php
namespace App;

/* What jstack() is to show for this call: frame I is at the line from which frame I - 1 was called. */
function tell() {
	$frames = debug_backtrace();
	$stack = "posix_getppid\nApp\\tell (witness.php:" . (__LINE__ + 11) . ")\n";
	for ($i = 1; $i <= count($frames); $i++) {
		$f = $frames[$i] ?? ['function' => '{main}'];
		if (($f['class'] ?? '') == 'Fiber')
			break; /* the stack of a fiber ends where it begins */
		$name = ['include' => '{main}', 'eval' => '{eval}'][$f['function']] ?? $f['function'];
		$class = isset($f['class']) ? explode("\0", $f['class'])[0] . $f['type'] : '';
		$at = $frames[$i - 1];
		$stack .= "$class$name" . (isset($at['file']) ? ' (' . basename($at['file']) . ":$at[line])" : '') . "\n";
	}
	file_put_contents('said', "$stack=\n", FILE_APPEND);
	posix_getppid();
}

trait Trade {
	function viaTrait() { tell(); }
}
class Shop {
	use Trade;
	static function open() {
		(new self)->viaTrait();
	}
	function __call($name, $args) {
		self::open();
	}
	function __toString() {
		$this->magic();
		return '';
	}
	function __destruct() {
		tell();
	}
}
class Deep extends Shop {
	function __invoke($n) {
		if ($n)
			return $this($n - 1);
		return (function() { tell(); })();
	}
}

function leaf() {
	yield 1;
	tell();
	yield from [2, 3];
	tell();
}
function inner() { yield from leaf(); }
function outer() {
	yield from inner();
	tell();
	yield 4;
}
function generators() {
	foreach (outer() as $v)
		;
}
function café() { tell(); }

/* Waits until the tracer knows this process: a stack at getpgrp(2) is whole. */
function wait() {
	while (!str_contains(@file_get_contents('traced'), 'zend_execute')) {
		posix_getpgrp();
		usleep(10000);
	}
	file_put_contents('traced', '');
}
wait();
array_map(fn($x) => strval(new Shop), [1]);
generators();
$fiber = new \Fiber(function() {
	tell();
	\Fiber::suspend();
	generators();
});
$fiber->start();
$fiber->resume();
eval("namespace App;\nfunction evald() { tell(); }\nevald();");
$list = [2, 1];
usort($list, function($x, $y) { tell(); return 0; });
$anonymous = new class {
	function m() { $this->n(); }
	function n() { café(); }
};
$anonymous->m();
(new Deep)(3);
include 'included.php';
set_error_handler(function() { tell(); return true; });
echo $undefined;
function thrower() { throw new \Exception; }
try {
	thrower();
} catch (\Exception $e) {
	tell();
}
PHP
cat >included.php <<'PHP'
<?php
function inIncluded() {
	App\tell();
}
inIncluded();
(function() { App\tell(); })();
PHP
check() {
	: >traced
	rm -f said
	"$DTRACE" -q -x switchrate=10ms -x jstackframes=60 -o traced -n '
		syscall::getpgrp:entry /pid == $target/ { jstack(); }
		syscall::getppid:entry /pid == $target/ { jstack(); printf("=\n"); }' -c "php8.2 $* witness.php" >out || { cat out; exit 1; }
	# an unfinished line of the wait is before the first stack
	sed -n '/php`posix_getppid/,$p' traced | sed -n 's/^ *php`//p; /^=/p' >frames
	[[ $(grep -c = said) -ge 19 ]] || { echo "debug_backtrace() has $(grep -c = said) stacks"; exit 1; }
	diff said frames >differences || { echo "PHP $*: debug_backtrace() and jstack() differ"; head -40 differences; exit 1; }
	echo "PHP $*: $(grep -c = said) stacks, $(grep -vc = said) frames"
}
check
php8.2 -d opcache.enable_cli=1 -r 'exit(function_exists("opcache_get_status") ? 0 : 1);' || exit 0
check -d opcache.enable_cli=1
check -d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -d opcache.jit=function
