#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=json: an object of each kind, as docs/json.md has them.  Addresses, times and the like are masked.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
frames=$BUILD/tests/live/triggers/frames
unset TERM # dumb is an option of the session

mask() {
	sed -E 's/"time":1[0-9]{18},/"time":T,/; s/"cpu":[0-9]+/"cpu":C/; s/"version":"[^"]*"/"version":"V"/
		s/"address":[0-9]{6,}/"address":A/g; s/"offset":[0-9]+/"offset":O/g; s/"pid":[0-9]+/"pid":P/g; s/"tid":[0-9]+/"tid":T/
		s/"id":[0-9]+,"provider":"syscall/"id":N,"provider":"syscall/
		/^\{"type":"session"/s/"command":"[^"]*"/"command":"C"/; s/"host":"[^"]*","time":[0-9]+/"host":"H","time":T/'
}

cat >values.d <<'D'
enum colour { RED, GREEN };
struct s { int a; char name[4]; int v[3]; enum colour colour; struct { short low:3; } in; void *p; int rest[20]; };
BEGIN
{
	trace(-1); trace((char)'x'); trace((uint64_t)-1); trace("a \"text\" caf\xc3\xa9 \xff\xee\xbe\x80");
	trace((void *)16); trace(GREEN); trace(probename);
	printf("%d %s\n", 5, execname == "" ? "" : "x");
}
BEGIN
{
	this->s = (struct s *)alloca(sizeof (struct s));
	this->s->a = -5; this->s->name[0] = 'a'; this->s->v[1] = 7; this->s->colour = GREEN;
	this->s->in.low = 3; this->s->p = (void *)16;
	tracemem(this->s, 8);
	print(*this->s);
}
BEGIN { @["a", 1] = count(); clear(@); setopt("quiet", "no"); raise(0); }
BEGIN { trace(1); trace(*(int *)8); }
D
echo "== values"
"$DTRACE" -w --output=json -s values.d -n 'BEGIN { exit(0); }' 2>err.txt | mask

echo "== aggregations"
"$DTRACE" --output=json -qn '
	BEGIN
	{
		@c["a", 1] = count(); @s["a", 1] = sum(-3); @min = min(4); @max = max(4); @avg = avg(3); @dev = stddev(5);
		@q = quantize(-5); @q = quantize(0); @q = quantize(1000, 3);
		@l = lquantize(-1, 0, 10, 5); @l = lquantize(7, 0, 10, 5); @l = lquantize(10, 0, 10, 5);
		@ll = llquantize(15, 10, 0, 2, 10); @ll = llquantize(-1000, 10, 0, 2, 10);
		printa("%s %d: %@d\n", @c);
		printa(@c, @s);
		normalize(@s, 2); trunc(@c, 1); exit(0);
	}' | mask

echo "== stacks"
"$DTRACE" --output=json -qn 'syscall::getppid:entry /pid == $target && !done/ { done = 1; ustack(2); usym(arg0); uaddr(arg0); umod(arg0); }' \
	-c "$frames 1" | mask
"$DTRACE" --output=json -x aggsortrev -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); }' -c "$frames 3" | mask
kernel=$("$DTRACE" --output=json -qn 'syscall::getppid:entry /pid == $target/ { stack(); }' -c "$frames 1" |
	grep -o '"kind":"stack".*' | head -n 1)
grep -qE '^"kind":"stack","size":[0-9]+,"value":\[\{"address":1844[0-9]{16},"object":"vmlinux","symbol":"[a-z0-9_.]+","offset":[0-9]+\}' \
	<<<"$kernel" || echo "a kernel stack: $kernel"

echo "== losses"
"$DTRACE" --output=json -qn 'BEGIN { x = *(int *)8; } ERROR { x = *(int *)8; } BEGIN { exit(0); }' 2>err.txt | mask
