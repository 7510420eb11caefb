#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A wrapper that builds its D program out of parts in shell variables and takes -p, -n or a command.
# @ref cli 5 p-runs-on c-words
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir bin && ln -s "$DTRACE" bin/dtrace && PATH=$PWD/bin:$PATH
ln -s "$BUILD/tests/live/triggers/values" "$BUILD/tests/live/triggers/calls" "$BUILD/tests/live/triggers/paced" .

cat >procsys <<'SH'
#!/bin/sh
# procsys - system calls by process.
# USAGE: procsys [-at] { -p PID | -n name | command }
opt_pid=0 opt_name=0 opt_times=0 opt_args=0
while getopts an:p:t name
do
	case $name in
	a)	opt_args=1 ;;
	n)	opt_name=1; pname="$OPTARG" ;;
	p)	opt_pid=1; pid="$OPTARG" ;;
	t)	opt_times=1 ;;
	*)	exit 2 ;;
	esac
done
shift $(( OPTIND - 1 ))
command="$*"

if [ $opt_pid -eq 1 ]; then
	match="pid == $pid"
elif [ $opt_name -eq 1 ]; then
	match="execname == \"$pname\""
else
	match='pid == $target'
fi
dtrace='#pragma D option quiet
'
dtrace="$dtrace"'
syscall:::entry
/'$match' && probefunc != "exit_group"/
{
	self->start = timestamp;
	@Counts[execname, probefunc] = count();
'
[ $opt_args -eq 1 ] && dtrace="$dtrace"'	printf("%s(%d, %d)\n", probefunc, (int)arg0, (int)arg1);
'
dtrace="$dtrace"'}
syscall:::return
/self->start/
{
	@Times[execname, probefunc] = sum(timestamp - self->start);
	self->start = 0;
}
dtrace:::END
{
	printf("%-12s %-12s %8s\n", "PROCESS", "CALL", "COUNT");
	printa("%-12s %-12s %@8d\n", @Counts);
'
[ $opt_times -eq 1 ] && dtrace="$dtrace"'
	normalize(@Times, 1000000000 * 100);
	printf("%-12s %-12s %8s\n", "PROCESS", "CALL", "100s");
	printa("%-12s %-12s %@8d\n", @Times);
'
[ $opt_times -eq 0 ] && dtrace="$dtrace"'	trunc(@Times);
'
dtrace="$dtrace"'}'
if [ $opt_pid -eq 1 ]; then
	exec dtrace -p "$pid" -n "$dtrace"
elif [ $opt_name -eq 1 ]; then
	exec dtrace -n "$dtrace" -c "$command"
else
	exec dtrace -n "$dtrace" -c "$command"
fi
SH
chmod +x procsys
./procsys -a ./values ints 5 6 | grep -E 'PROCESS|getppid'
./procsys -t ./calls getppid 100 | grep -E 'PROCESS|getppid'
./procsys -n calls ./calls getppid 7 | grep -E 'PROCESS|getppid'
# a process that runs already
./paced 1000000 10 &
child=$!
./procsys -p $child >out.txt &
tracer=$!
sleep $((2 * ${TIMEOUT_SCALE:-1}))
kill $child
wait $tracer
grep -E 'PROCESS|getppid' out.txt | awk '$2 == "getppid" { $3 = $3 >= 10 ? "many" : $3 } { print $1, $2, $3 }'
