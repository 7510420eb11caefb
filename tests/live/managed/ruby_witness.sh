#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Ruby frames of jstack() are those of caller_locations(): labels, files, lines and their order, for methods, blocks, threads,
# fibers, exceptions, calls through C and eval().
# @needs ruby3.1
# @timeout 60
# docs/LIMITS.md
cd "$TMPDIR" || exit 1
cat >witness.rb <<'RB'
# Methods that are written in C: they have no frame in jstack(), but in caller_locations().
IN_C = %w[each each_with_index map times call new initialize instance_eval eval send public_send sort_by catch
          inject resume next loop require load require_relative instance_exec class_eval]

def tell
  stack = caller_locations(0).reject { |l| IN_C.include?(l.label) }.map { |l| "#{l.label} (#{File.basename(l.path)}:#{l.lineno})" }
  stack[0] = "tell (witness.rb:#{__LINE__ + 2})"
  File.open('said', 'a') { |f| f.puts(stack, '=') }
  Process.ppid
end

# Until the tracer knows this process: a stack at getpgid(2) is whole.
def wait
  until File.read('traced').include?('ruby_run_node')
    Process.getpgid(0)
    sleep 0.01
  end
  File.write('traced', '')
end

wait

class Base
  def self.inherited(c)
    tell
  end
end

class Shop < Base
  tell
  define_method(:defined) { |x| tell }

  def missing = tell

  def method_missing(name, *args, **opts, &b)
    tap { tell }
  end

  def ensured
    begin
      raise 'x'
    rescue
      tell
    ensure
      tell
    end
  end

  def keys(a, b = tell, *c, d:, e: tell, **f)
    [a].each_with_index { |x, i| tell }
  end
end

# more than 54 instructions, more than 566: the index of lines has parts
def long(n)
  a = [n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9]
  b = a.sum + a.size
  c = b * 2 + n
  d = c - 1
  tell
#{BODY}
  tell
end

def deep(n) = n.zero? ? tell : deep(n - 1)

s = Shop.new
s.defined(1)
s.anything(1, k: 2)
s.missing
s.ensured
s.keys(1, d: 2)
long(3)
deep(30)
[3, 1].sort_by { |x| tell }
{ a: 1 }.each { |k, v| 1.times { tell } }
eval("def evald = tell\nevald", binding, 'evald.rb', 7)
s.instance_eval { tell }
->(x) { tell }.call(1)
Thread.new { [1].map { tell } }.join
f = Fiber.new { tell; Fiber.yield; deep(2) }
f.resume
f.resume
e = Enumerator.new { |y| tell; y << 1 }
e.next
catch(:x) { tell; throw :x }
def café = tell
café
require_relative 'required'
Struct.new(:a) { def m = tell }.new(1).m
at_exit { tell }
RB
echo 'def in_required = tell
in_required' >required.rb
# 600 instructions
body=$(for ((i = 0; i < 100; i++)); do echo "  a[$((i % 9))] = b + $i"; done)
program=$(<witness.rb)
echo "${program/'#{BODY}'/"$body"}" >witness.rb
check() {
	: >traced
	rm -f said
	"$DTRACE" -q -x switchrate=10ms -x jstackframes=100 -o traced -n '
		syscall::getpgid:entry /pid == $target/ { jstack(); }
		syscall::getppid:entry /pid == $target/ { jstack(); printf("=\n"); }' -c "ruby3.1 $* witness.rb" >out || { cat out; exit 1; }
	sed -n '/ruby`tell/,$p' traced | sed -n 's/^ *ruby`//p; /^=/p' >frames
	[[ $(grep -c = said) -ge 28 ]] || { echo "caller_locations() has $(grep -c = said) stacks"; exit 1; }
	diff said frames >differences || { echo "Ruby $*: caller_locations() and jstack() differ"; head -40 differences; exit 1; }
	echo "Ruby $*: $(grep -c = said) stacks, $(grep -vc = said) frames"
}
check
# there YJIT maps its code above 2^47, because addresses are not random and page tables have five levels
[[ -z ${DTRACE_VM-} ]] || { echo "skipped: YJIT in a virtual machine"; exit 0; }
! ruby3.1 --yjit -e 1 2>/dev/null || check --yjit --yjit-call-threshold=1
