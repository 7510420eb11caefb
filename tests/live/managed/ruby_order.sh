#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples of busy Ruby have all four methods, in order, in 95 of 100: called plainly, through blocks and C, in threads, fibers and
# enumerators, interpreted and compiled by YJIT.
# @needs ruby3.1
# @timeout 180
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
cat >busy.rb <<'RB'
# where all is slow, what is between the functions takes a larger part
TURNS = 5000 * Integer(ENV.fetch('TIMEOUT_SCALE', 1))

class Shop
  def self.spin_leaf(n)
    x = i = 0
    while i < n
      x = (x + i * i) % 1000003
      i += 1
    end
    x
  end

  def middle_fn(n) = Shop.spin_leaf(n) + 1

  define_method(:handler) { |n| middle_fn(n) * 2 }
end

def handler(n) = [n].map { |k| Shop.new.middle_fn(k) }.sum

def outer_loop
  handler(TURNS) while true
end

def outer_methods
  s = Shop.new
  loop { s.send(:handler, TURNS) }
end

def outer_threads
  2.times.map { Thread.new { outer_loop } }.each(&:join)
end

def outer_fiber
  f = Fiber.new { loop { Fiber.yield handler(TURNS) } }
  f.resume while true
end

def outer_enumerator
  e = Enumerator.new { |y| loop { y << handler(TURNS) } }
  e.next while true
end
send(ARGV[0])
RB
plain='^ruby`spin_leaf.\(busy.rb\)$ ^ruby`middle_fn ^ruby`block.in.handler ^libruby ^ruby`handler'
in_order plain "$plain"' ^ruby`outer_loop ^ruby`<main> ^libruby' ruby3.1 busy.rb outer_loop
in_order methods '^ruby`spin_leaf ^ruby`middle_fn ^ruby`block.in.<class:Shop> ^ruby`block.in.outer_methods ^ruby`outer_methods ^ruby`<main>' ruby3.1 busy.rb outer_methods
in_order threads "$plain"' ^ruby`outer_loop ^ruby`block.\(2.levels\).in.outer_threads ^libc.so' ruby3.1 busy.rb outer_threads
in_order fibers "$plain"' ^ruby`block.\(2.levels\).in.outer_fiber ^ruby`block.in.outer_fiber' ruby3.1 busy.rb outer_fiber
in_order enumerators "$plain"' ^ruby`block.\(2.levels\).in.outer_enumerator ^ruby`block.in.outer_enumerator' ruby3.1 busy.rb outer_enumerator
ruby3.1 --yjit -e 1 2>/dev/null || {
	echo "skipped: no YJIT"
	exit 0
}
in_order YJIT "$plain"' ^ruby`outer_loop ^ruby`<main> ^libruby' ruby3.1 --yjit --yjit-call-threshold=2 busy.rb outer_loop
in_order "YJIT, threads" "$plain"' ^ruby`outer_loop ^ruby`block.\(2.levels\).in.outer_threads' ruby3.1 --yjit --yjit-call-threshold=2 busy.rb outer_threads
