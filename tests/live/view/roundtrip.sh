#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtrace --view of a saved session writes the same text, JSON, CSV, stacks and pictures as the session did.
# tests/live/output/roundtrip.sh does this for the programs of the other live tests.
# @vm no: the kernel has no part in it
# @timeout 240
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

cat >values.d <<'D'
enum colour { RED, GREEN };
struct inner { long long x; union { int i; char c[4]; } u; };
struct s {
	int a; char name[4]; int v[3]; enum colour colour; struct { short low:3; } in; void *p;
	float f; double d; __int128 big; struct inner list[2]; char raw[8];
};
BEGIN
{
	trace(-1); trace((char)'x'); trace((uint64_t)-1); trace("a \"text\" caf\xc3\xa9 \xff\xee\xbe\x80 \xed\xa0\x80");
	trace((void *)16); trace(GREEN); trace(probename);
	printf("%d %s\n\001", 5, execname == "" ? "" : "x");
}
BEGIN
{
	this->s = (struct s *)alloca(sizeof (struct s));
	this->s->a = -5; this->s->name[0] = 'a'; this->s->v[1] = 7; this->s->colour = GREEN;
	this->s->in.low = 3; this->s->p = (void *)16; this->s->list[1].u.i = -2; this->s->raw[3] = 200;
	*(uint64_t *)&this->s->big = 0x8000000000000001; *((uint64_t *)&this->s->big + 1) = 0x8000000000000001;
	*(uint32_t *)&this->s->f = 0x3dcccccd; *(uint64_t *)&this->s->d = 0x7ff0000000000000;
	tracemem(this->s, 8);
	print(*this->s); print(this->s); trace(*this->s); print(this->s->big); print(this->s->f);
}
BEGIN { @["a", 1] = count(); clear(@); raise(0); stack(); mod(caller); sym(caller); }
BEGIN
{
	@c["a;b,c\"\n", 1] = count(); @s["a", 1] = sum(-3); @min = min(4); @max = max(-4); @avg = avg(3); @avg = avg(-8);
	@dev = stddev(5); @dev = stddev(-5000000000000); @dev = stddev(5000000000000);
	@q = quantize(-5); @q = quantize(0); @q = quantize(1000, 3);
	@l = lquantize(-1, 0, 10, 5); @l = lquantize(7, 0, 10, 5); @l = lquantize(10, 0, 10, 5);
	@ll[stack()] = llquantize(15, 10, 0, 2, 10); @ll[stack()] = llquantize(-1000, 10, 0, 2, 10);
	printa("%s %d: %@d\n", @c); printa(@c, @s); printa(@ll);
	normalize(@s, 2); normalize(@avg, 3); normalize(@min, 2); normalize(@q, 2); trunc(@c, 1); denormalize(@q);
}
BEGIN { trace(1); trace(*(int *)8); }
syscall::getppid:entry /pid == $target/ { ustack(); usym(arg0); umod(ucaller); uaddr(ucaller); @both[ustack(), stack(), execname] = count(); }
syscall::getppid:return /pid == $target/ { @b[ustack(3)] = avg(cpu); @k[probefunc, (char)'x', func(caller)] = max(pid); }
END { x = *(int *)16; }
D

save() { # PREFIX OPTION...
	"$DTRACE" --output={text:$1.text,json:$1.json,csv:$1.csv,folded:$1.folded,flamegraph:$1.html,perfetto:$1.perfetto,pprof:$1.pprof,speedscope:$1.speedscope,openmetrics:$1.openmetrics} "${@:2}" 2>$1.err
}

view() { # PREFIX THREAD
	"$DTRACE" --view "$1.json" --output={text:v.text,json:v.json,csv:v.csv,folded:v.folded,flamegraph:v.html,perfetto:v.perfetto,pprof:v.pprof,speedscope:v.speedscope,openmetrics:v.openmetrics} 2>v.err ||
		complain "$1: --view: status $?, $(<v.err)"
	for f in text json csv folded html speedscope openmetrics; do
		[[ -s $1.$f ]] || complain "$1.$f is empty: $(<$1.err)"
		# a page of a saved session does not say what program, command and machine it is of
		[[ $f != html ]] || sed -i -E 's/^(<title>[^<]*) on [^<]*</\1</; s/^(<title>[^<]*) of [^<]*</\1</; s/"about":\{([^"{}]|"([^"\\]|\\.)*")*\},?//' "$1.$f" v.$f
		cmp $1.$f v.$f || { complain "$1: --view writes another $f"; diff -a $1.$f v.$f | head -c 2000; }
		rm -f v.$f
	done
	# these have the time at which they were written
	[[ -s v.pprof ]] || complain "$1: --view writes no profile"
	grep -qa "$2" v.perfetto || complain "$1: the timeline does not name the thread $2"
}

save all -wqs values.d -c "$BUILD/tests/live/triggers/frames 3"
for kind in int pointer float enum string bytes stack ustack symbol usymbol struct union array; do
	grep -q "\"kind\":\"$kind\"" all.json || complain "no value of kind $kind"
done
[[ $(grep -c '"type":"error"' all.json) == 2 ]] || complain "not two errors: $(<all.err)"
view all frames
grep -q 'invalid address (0x8)' v.err || complain "--view does not print the errors: $(<v.err)"

save options -qx aggpercpu -x aggsortkey -x ustackline -x ustackinline -c "$BUILD/tests/live/triggers/frames 5" \
	-n 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); @q[ustack()] = quantize(vtimestamp); @a[pid, ustack()] = avg(1); }'
grep -q '"cpus"' options.json || complain "no values of CPUs"
view options ''

# ---- text

same_text() { # NAME OPTION...
	"$DTRACE" --view "$1.json" "${@:2}" >v.text 2>v.err || complain "$*: status $?, $(<v.err)"
	cmp "$1.text" v.text || { complain "$*: another text"; diff -a "$1.text" v.text | head -c 2000; }
}

run=(-c "$BUILD/tests/live/triggers/frames 3")
rows='syscall::getppid:entry /pid == $target/ { @a[ustack(2), execname] = count(); @b[stack(1), cpu < 0] = quantize(vtimestamp % 100); ustack(2); }'
rows+=' syscall::getppid:return /pid == $target/ { @s[probefunc] = sum(-2); printf("%s\n", execname); printa("%k %s: %@d\n", @a); printa(@s); }'
rows+=' BEGIN { freopen("other.text"); printf("elsewhere\n"); freopen(""); setopt("stackindent", "3"); trace("here"); } END { setopt("rawbytes"); trace("raw"); }'
# the options of the session are in the file, from the command line or from the program
save plain "${run[@]}" -wn "$rows"
same_text plain
[[ $(<other.text) == elsewhere && $(head -n 2 plain.text) == *here* ]] || complain "freopen() in the session: $(head -n 2 plain.text)"
rm -f other.text
save drawn "${run[@]}" -x aggpack -x aggpercpu -x encoding=ascii -wn '#pragma D option agghist'$'\n'"$rows"
same_text drawn
grep -q 'Distribution.* count' drawn.text && grep -q 'min \.-' drawn.text || complain "no pictures: $(<drawn.text)"
save flow "${run[@]}" -F -wn "$rows"
same_text flow
save quiet "${run[@]}" -qx stackindent=5 -x aggzoom -wn "$rows"
same_text quiet
[[ $(grep -c elsewhere other.text) == 3 ]] || complain "--view wrote to the file of freopen(): $(<other.text)"
# those of the command line come first
"$DTRACE" --view plain.json -q >v.text
grep -q FUNCTION v.text && complain "-q has no effect"
"$DTRACE" --view quiet.json -x quiet=no >v.text
[[ $(head -n 1 v.text) == 'CPU     ID '* ]] || complain "-x quiet=no has no effect: $(head -n 1 v.text)"
"$DTRACE" --view plain.json -o o.text && cmp plain.text o.text || complain "-o"

# ---- files

# a file can come by a pipe, and be spread over lines
"$DTRACE" --view - --output=csv <all.json >v.csv 2>/dev/null
cmp all.csv v.csv || complain "by a pipe"
sed 's/,"/\n,"/g' all.json | "$DTRACE" --view - --output=csv >v.csv 2>/dev/null
cmp all.csv v.csv || complain "with more newlines"

# schema 1, members and types that later versions add
sed -E 's/"schema":2/"schema":1/; s/"type":"record"/"new":{"rows":[{"x":[1]}]},&/; $i {"type":"new","rows":[{"keys":[],"values":[]}]}' all.json |
	"$DTRACE" --view - --output=folded >v.folded 2>/dev/null
cmp all.folded v.folded || complain "with members of a later version"
exit $bad
