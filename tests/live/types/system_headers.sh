#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -C: every header of the system that a C compiler takes is taken, and its types are usable.
# @vm no: the compiler alone, beside the one of C
# @ref d-language 1.2 definitions-and-includes
# @timeout 240
set -u
. "$SRCDIR/tests/live/cli/lib.sh"
command -v cpp cc >/dev/null || { echo "needs cpp and cc"; exit 77; }

posix='aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fnmatch ftw glob grp iconv inttypes
langinfo libgen limits link locale malloc math mqueue net/if netdb netinet/if_ether netinet/in netinet/ip netinet/ip6
netinet/ip_icmp netinet/tcp netinet/udp nl_types obstack poll pthread pwd regex resolv sched search semaphore setjmp signal
spawn stdarg stdbool stddef stdint stdio stdlib string strings sys/acct sys/epoll sys/eventfd sys/fanotify sys/inotify
sys/ioctl sys/ipc sys/mman sys/mount sys/msg sys/param sys/procfs sys/ptrace sys/resource sys/select sys/sem sys/shm
sys/signalfd sys/socket sys/stat sys/statvfs sys/sysinfo sys/time sys/timerfd sys/times sys/types sys/uio sys/un sys/user
sys/utsname sys/wait syslog termios thread_db time ucontext unistd utime utmpx wchar wctype wordexp elf err getopt'
taken=0
check() { # HEADER DEFINITIONS...
	local name=$1
	shift
	printf '#include <%s>\nBEGIN { exit(0); }\n' "$name" >h.d
	"$DTRACE" -C "$@" -es h.d 2>err.txt && { taken=$((taken + 1)); return; }
	printf '#include <%s>\n' "$name" >h.c
	cc -std=c99 "$@" -fsyntax-only h.c 2>cc.txt && complain "$name: $(cat err.txt)"
}
for h in /usr/include/linux/*.h; do
	check "linux/${h##*/}"
done
for h in $posix; do
	echo "#include <$h.h>" | cpp >/dev/null 2>&1 || continue
	check "$h.h" -D_GNU_SOURCE
done
((taken > 80)) || complain "$taken headers"

cat >use.d <<'D'
#define _GNU_SOURCE
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/epoll.h>
#include <netinet/in.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <signal.h>
#include <linux/fs.h>
#include <linux/tcp.h>
P(struct stat) P(struct sockaddr_in6) P(struct sockaddr_storage) P(struct epoll_event) P(struct ifreq)
P(FILE) P(div_t) P(pthread_mutex_t) P(siginfo_t) P(struct fstrim_range) P(struct tcphdr) P(struct tcp_info)
M(struct stat, st_mtim) M(struct epoll_event, data) M(siginfo_t, si_code) M(struct tcphdr, window) M(struct ifreq, ifr_ifru)
D
cat >both.c <<'C'
#define P(t) int main(void);
#define M(t, m)
#include "use.d"
#undef P
#undef M
#include <stddef.h>
#define P(t) printf("%d ", (int)sizeof (t));
#define M(t, m) printf("%d ", (int)offsetof(t, m));
int main(void)
{
C
grep '^[PM](' use.d >>both.c
echo 'return 0; }' >>both.c
sed -i 's/#include "use.d"/#include "inc.h"/' both.c
grep '^#' use.d >inc.h
cc -w -std=gnu99 -o both both.c && ./both >expected || exit 1
{
	echo '#pragma D option quiet'
	grep '^#' use.d
	echo '#define P(t) printf("%d ", (int)sizeof (t));'
	echo '#define M(t, m) printf("%d ", (int)offsetof(t, m));'
	echo 'BEGIN {'
	grep '^[PM](' use.d
	echo 'exit(0); }'
} >both.d
try "$DTRACE" -C -s both.d
expect_status 0
expect_err ""
expect_out "$(cat expected)"$'\n'
finish
