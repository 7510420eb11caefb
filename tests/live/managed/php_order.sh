#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples of busy PHP have all four functions, in order, in 95 of 100: called plainly, through C, as methods and closures, in
# generators and fibers, interpreted and compiled by opcache's JIT.
# @needs php8.2
# @timeout 180
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >busy.php <<'PHP'
<?php
// where all is slow, what is between the functions takes a larger part
define('TURNS', 1000 * (getenv('TIMEOUT_SCALE') ?: 1));

class Shop {
	static function spinLeaf($n) {
		$x = 0;
		for ($i = 0; $i < $n; $i++)
			$x = ($x + $i * $i) % 1000003;
		return $x;
	}
	function middleFn($n) {
		return self::spinLeaf($n) + 1;
	}
	function __call($name, $args) {
		return $this->middleFn(...$args) * 2;
	}
}
function spinLeaf($n) { return Shop::spinLeaf($n); }
function middleFn($n) { return spinLeaf($n) + 1; }
function handler($n) { return middleFn($n) * 2; }
function outerLoop() { for (;;) handler(TURNS); }

function spinGen($n) { for (;;) yield spinLeaf($n); }
function middleGen($n) { yield from spinGen($n); }
function handlerGen($n) { yield from middleGen($n); }
function outerGen() { foreach (handlerGen(TURNS) as $v) ; }

function outerC() { for (;;) array_map(fn($n) => handler($n), [TURNS, TURNS]); }
function outerMethods() { $s = new Shop; for (;;) $s->handler(TURNS); }
function outerFiber() {
	$f = new Fiber(function() {
		for (;;)
			Fiber::suspend(handler(TURNS));
	});
	for ($f->start();;)
		$f->resume();
}
$argv[1]();
PHP
plain='^php`spinLeaf.\(busy.php ^php`middleFn ^php`handler'
in_order plain '^php`Shop::spinLeaf.\(busy.php\)$ '"$plain"' ^php`outerLoop ^php`{main} ^php8.2`' php8.2 busy.php outerLoop
in_order "through C" "$plain"' ^php`{closure} ^php`array_map ^php`outerC ^php`{main}' php8.2 busy.php outerC
in_order methods '^php`Shop::spinLeaf ^php`Shop->middleFn ^php`Shop->__call ^php`outerMethods ^php`{main}' php8.2 busy.php outerMethods
in_order generators '^php`spinLeaf ^php`spinGen ^php`middleGen ^php`handlerGen ^php`outerGen ^php`{main}' php8.2 busy.php outerGen
in_order fibers "$plain"' ^php`{closure}.\(busy.php\)$' php8.2 busy.php outerFiber
php8.2 -d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -r 'exit(opcache_get_status()["jit"]["on"] ? 0 : 1);' 2>/dev/null || {
	echo "skipped: no opcache"
	exit 0
}
for jit in function tracing; do
	in_order "JIT, $jit" "$plain"' ^php`{closure} ^php`array_map ^php`outerC ^php`{main} ^php8.2`zend_execute' \
		php8.2 -d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -d opcache.jit="$jit" busy.php outerC
done
