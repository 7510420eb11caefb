#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A shell wrapper with options, as the tools of the time were: getopts, defaults as shell variables
# in the D program, inline constants, a header in BEGIN, rows that options choose.
# @ref cli 5 c-words
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir bin && ln -s "$DTRACE" bin/dtrace && PATH=$PWD/bin:$PATH
ln -s "$BUILD/tests/live/triggers/values" "$BUILD/tests/live/triggers/calls" .

cat >opencount <<'SH'
#!/bin/sh
#
# opencount - count opens by file, show failures.
#
# USAGE: opencount [-ehx] [-f pathname] [-t top] command
#
opt_err=0; opt_file=0; filter=0; pathname=.; top=0
while getopts ef:ht:x name; do
	case $name in
	e)	opt_err=1 ;;
	f)	opt_file=1; pathname=$OPTARG ;;
	t)	top=$OPTARG ;;
	x)	filter=1 ;;
	h|?)	cat <<-END >&2
		USAGE: opencount [-ehx] [-f pathname] [-t top] command
		   eg,
		       opencount -e ls        # errors only
END
		exit 1 ;;
	esac
done
shift `expr $OPTIND - 1`
if [ "$1" = "" ]; then
	echo "no command" >&2
	exit 1
fi

/usr/bin/env dtrace -n '
 #pragma D option quiet
 #pragma D option switchrate=10hz

 /* the options, from the shell */
 inline int OPT_err  = '$opt_err';
 inline int OPT_file = '$opt_file';
 inline int FILTER   = '$filter';
 inline int TOP      = '$top';
 inline string PATHNAME = "'"$pathname"'";

 dtrace:::BEGIN
 {
	printf("%-6s %4s %s\n", "RESULT", "ERR", "PATH");
 }

 syscall::open*:entry
 /pid == $target/
 {
	self->pathp = (probefunc == "openat" || probefunc == "openat2") ? arg1 : arg0;
	self->ok = FILTER == 0 ? 1 : 0;
 }

 syscall::open*:return
 /self->pathp/
 {
	this->path = copyinstr(self->pathp);
	self->ok = (OPT_file == 1 && PATHNAME != this->path) ? 0 : 1;
	self->ok = (OPT_err == 1 && errno == 0) ? 0 : self->ok;
 }

 syscall::open*:return
 /self->pathp && self->ok/
 {
	this->path = copyinstr(self->pathp);
	@opens[errno == 0 ? "ok" : "failed", errno, this->path] = count();
 }

 syscall::open*:return
 /self->pathp/
 {
	self->pathp = 0;
	self->ok = 0;
 }

 dtrace:::END
 /TOP > 0/
 {
	trunc(@opens, TOP);
 }

 dtrace:::END
 {
	printa("%-6s %4d %s %@d\n", @opens);
 }
' -c "$*"
SH
chmod +x opencount
echo "plain"
./opencount ./values errors
echo "errors only"
./opencount -e ./calls openat /nonexistent/file 3
./opencount -e ./calls openat /dev/null 3
echo "one file"
./opencount -f /dev/null ./calls openat /dev/null 4
./opencount -f /dev/zero ./calls openat /dev/null 4
echo "top"
./opencount -t 1 "./calls openat /dev/zero 2"
./opencount 2>&1
echo "status $?"
./opencount -h 2>&1
echo "status $?"
