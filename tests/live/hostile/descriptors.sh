#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that dtrace starts have the caller's descriptors and no map, event or ring of dtrace: those of -c, of system()
# and the preprocessor, with all that a session can have open.  Where a user has lent privileges, a process of the same
# user that looks at each child of dtrace from its first moment on sees none in it.
# @timeout 90
# @needs gcc setcap setpriv
. "$(dirname "$0")/lib.sh"

hostile_folder
given=$PWD/given
echo given >given
exec 7<given
# Who runs this has these descriptors and no others; a shell has 255, and opens the folder.
cat >fds.c <<'END'
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	FILE *to = fopen(argv[1], "a");
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *d;
	char path[512];

	while (to && dir && (d = readdir(dir))) {
		int fd = atoi(d->d_name);
		long n = readlinkat(dirfd(dir), d->d_name, path, sizeof(path) - 1);

		if (fd > 2 && fd != dirfd(dir) && fd != fileno(to) && n > 0)
			fprintf(to, "%d %.*s\n", fd, (int)n, path);
	}
	if (to)
		fprintf(to, "done\n");
	for (int i = 2; i < argc; i++)
		getppid();
	return !to;
}
END
gcc -O1 -o fds fds.c || exit 1
cat >cpp <<END
#!/bin/sh
$PWD/fds $PWD/cpp.txt
exec /usr/bin/cpp "\$@"
END
chmod 755 cpp

# what the caller gives, this test and who runs it
./fds expected.txt
grep -q "^7 $given" expected.txt || exit 1

# What FILE says of a program: this, and nothing else.
clean() { # FILE WHAT
	local have
	have=$(sort -u "$1" 2>&1)
	[[ $have == "$(sort -u expected.txt)" ]] || complain "$2: $have"
	rm -f "$1"
}

# shellcheck disable=SC2016
all='
	syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); @a = quantize(pid); }
	profile-997 { @s[stack(3)] = count(); }
	pid$target:a.out:main:entry { self->t = timestamp; }
	sched:::on-cpu { @c = count(); }
	late*:::x { n++; }
	BEGIN { system("./fds system.txt"); }
	syscall::getppid:entry /pid == $target/ { system("./fds late.txt"); exit(0); }'
printf '%s' "$all" >all.d
"$DTRACE" -wqZ -C -x cpppath=./cpp -x hold=exec --output=json:out.json --output=folded:out -o out.txt -s all.d \
	-c "./fds child.txt more" >/dev/null 2>err.txt || complain "status $?: $(<err.txt)"
clean child.txt "-c"
clean system.txt "system() before the program"
clean late.txt "system()"
clean cpp.txt "the preprocessor"

# A process of the same user, which looks at the children of PID as long as it lives.
cat >spy.c <<'END'
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Looks once; prints what a tracer alone may have. */
static void look(int pid)
{
	char path[64], to[512];
	struct dirent *d;
	DIR *dir;
	long n;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if ((n = readlinkat(dirfd(dir), d->d_name, to, sizeof(to) - 1)) > 0) {
			to[n] = '\0';
			if (strstr(to, "anon_inode") || strstr(to, "memfd") || strstr(to, "/sys/"))
				printf("%d: %s %s\n", pid, d->d_name, to), fflush(stdout);
		}
	if (dir)
		closedir(dir);
}
int main(int argc, char **argv)
{
	char path[64], text[4096], *at;
	int pid = atoi(argv[1]), fd;
	long n, looks = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	while ((fd = open(path, O_RDONLY)) >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
		if (n < 0)
			break;
		text[n] = '\0';
		for (at = text; *at; at += *at == ' ')
			looks++, look(strtol(at, &at, 10));
	}
	printf("looks %d\n", looks > 0);
}
END
gcc -O2 -o spy spy.c || exit 1
mkdir lent && cp -L "$DTRACE" lent/dtrace && ln -s "$(readlink -f "$BUILD/dlib")" lent/dlib || exit 1
if setcap cap_bpf,cap_perfmon+ep lent/dtrace 2>/dev/null; then
	# Debian's kernels with a level of 3 let only CAP_SYS_ADMIN have perf events
	profile='profile-97 { @s = count(); }'
	[[ $(</proc/sys/kernel/perf_event_paranoid) -le 2 ]] || profile=
	nobody=(setpriv --reuid 65532 --regid 65532 --clear-groups --inh-caps -all)
	"${nobody[@]}" lent/dtrace -xnolibs -qn 'BEGIN { exit(0); }' 2>/dev/null || { echo "no lent privileges: not tested"; hostile_done; }
	# on a busy machine the program may have ended before anybody looks: that round shows nothing
	looked=0
	for ((round = 0; round < 30 && looked < 3; round++)); do
		"${nobody[@]}" bash -c './spy $$ >spied.txt & exec -a dtrace lent/dtrace -xnolibs -wqn "
			syscall::getppid:entry /pid == \$target/ { @[ustack(3)] = count(); system(\"true\"); }
			'"$profile"'" -c "./fds child.txt more more"' >/dev/null 2>err.txt ||
			complain "lent: status $?: $(<err.txt)"
		wait_for spied.txt looks
		case $(<spied.txt) in
		'looks 1') looked=$((looked + 1)); continue ;;
		'looks 0') continue ;;
		esac
		complain "seen by a process of the same user: $(sort spied.txt | uniq -c | head -5)"
	done
	[[ $looked == 3 ]] || complain "nobody looked: $looked of 3"
	clean child.txt "-c with lent privileges"
fi
exec 7<&-
hostile_done
