#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -L: a site's library with a translator, which depends on another for its units; one that depends on
# a provider that is not there is skipped.
# @ref d-language 18 binding
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir lib

cat >lib/units.d <<'D'
/* A library of a site: units, and a record that its scripts share. */
#pragma D option dynvarsize=2m

inline uint64_t KB = 1024;
#pragma D binding "1.0" KB

inline uint64_t MB = KB * 1024;
#pragma D binding "1.0" MB
#pragma D attributes Stable/Stable/Common MB

struct rawreq {
	int dir;
	uint64_t bytes;
	uint32_t dev;
};
D

cat >lib/request.d <<'D'
/* What a request is to scripts, whatever it is inside. */
#pragma D depends_on library units.d
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux

typedef struct request {
	string r_op;
	uint64_t r_size;
	int r_major;
	int r_minor;
} request_t;

#pragma D binding "1.0" translator
translator request_t < struct rawreq *R > {
	r_op = R->dir == 0 ? "read" : R->dir == 1 ? "write" : "?";
	r_size = R->bytes / KB;
	r_major = R->dev >> 8;
	r_minor = R->dev & 0xff;
};
D

cat >lib/never.d <<'D'
/* Skipped: nobody has this provider. */
#pragma D depends_on provider nosuchprovider

inline int NEVER = nosuchfunction();
D

cat >requests.d <<'D'
#!/usr/sbin/dtrace -s
/* usage: dtrace -L lib -s requests.d */

#pragma D option quiet
#pragma D depends_on provider profile

dtrace:::BEGIN
{
	this->raw = (struct rawreq *)alloca(sizeof (struct rawreq));
	this->raw->dir = 1;
	this->raw->bytes = 3 * MB;
	this->raw->dev = 0x0803;
	this->op = xlate <request_t> (this->raw).r_op;
	printf("%s of %d KB to %d,%d\n", this->op, xlate <request_t>(this->raw).r_size,
	    xlate <request_t>(this->raw).r_major, xlate <request_t>(this->raw).r_minor);
	@bytes[xlate <request_t *>(this->raw)->r_op] = sum(xlate <request_t *>(this->raw)->r_size * KB);
	this->raw->dir = 0;
	this->raw->bytes = 512 * KB;
	printf("%s %d, %d, %s\n", xlate <request_t>(this->raw).r_op, MB / KB, 5 * MB > 5000000,
	    xlate <request_t>(this->raw).r_size == 512 ? "half a megabyte" : "?");
	@bytes[xlate <request_t *>(this->raw)->r_op] = sum(xlate <request_t *>(this->raw)->r_size * KB);
	exit(0);
}

dtrace:::END
{
	printa("%-6s %@10d\n", @bytes);
}
D
"$DTRACE" -L lib -s requests.d
