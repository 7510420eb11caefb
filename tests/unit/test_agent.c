// SPDX-License-Identifier: Apache-2.0
/* Tests what the agent reads: its configuration, rows and lines of activations, and how long they
 * are valid. */
#define _GNU_SOURCE /* renameat2() */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/activation.h"
#include "agent/conf.h"
#include "agent/script.h"
#include "agent/trusted.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "test.h"

/* ---- configuration ---- */

#define HASH "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"

static void test_conf(struct arena *a)
{
	const struct instrument *i;
	struct agent_conf c;

	agent_conf_init(&c, a);
	CHECK_INT(agent_conf_section(&c, "agent", "f:1"), 0);
	CHECK_INT(agent_conf_set(&c, "url", "https://db:8443/x", "f:2"), 0);
	CHECK_INT(agent_conf_section(&c, "instrument \t io-1.x", "f:3"), 0);
	CHECK_INT(agent_conf_set(&c, "file", "/etc/io.d", "f:4"), 0);
	CHECK_INT(agent_conf_set(&c, "sha256", HASH, "f:5"), 0);
	CHECK_INT(agent_conf_set(&c, "memory", "64m", "f:6"), 0);
	CHECK_INT(agent_conf_set(&c, "parameter", "text  a b", "f:7"), 0);
	CHECK_INT(agent_conf_set(&c, "range", "n -1 0x10", "f:8"), 0);
	CHECK_INT(agent_conf_set(&c, "range", "m 1 2 3", "f:9"), -EINVAL);
	CHECK_INT(agent_conf_set(&c, "poll", "5s", "f:9"), -ENOENT);
	CHECK_INT(agent_conf_complete(&c), 0);
	CHECK(c.poll == 5000000000ull && c.lease == 60000000000ull && !c.file);
	CHECK_STR(c.values[AGENT_spool], "/var/spool/dtrace");
	CHECK_STR(c.values[AGENT_credentials], NULL);
	i = agent_conf_instrument(&c, "io-1.x");
	CHECK(i && !agent_conf_instrument(&c, "io-1") && !agent_conf_instrument(&c, ""));
	CHECK_STR(i->sha256, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
	CHECK_STR(i->fixed.data[0].value, "a b");
	CHECK_STR(i->ranges.data[0].most, "0x10");
	/* its own limit, and those that hold otherwise */
	CHECK_INT(i->limits.len, 4);
	CHECK_STR(i->limits.data[0].value, "64m");
	CHECK_STR(i->limits.data[1].name, "destructive");
	CHECK_STR(i->limits.data[1].value, "no");
	agent_conf_fini(&c);
}

/* ---- rows ---- */

static int read_rows(struct arena *a, const char *text, struct activations *out)
{
	*out = (struct activations){.arena = a};
	return activations_read_rows(out, text, strlen(text));
}

static void test_rows(struct arena *a)
{
	struct activations list;
	struct activation *v;

	CHECK_INT(read_rows(a, "", &list), 0);
	CHECK_INT(list.list.len, 0);
	CHECK_INT(read_rows(a,
			  "a\\tb\tio\t\t[]\t[]\t10\t20\n"
			  "b\tio\th*\t['n','t']\t['-w','\\'); DROP\\t\\\\']\t1\t0\n",
			  &list),
		0);
	CHECK_INT(list.list.len, 2);
	v = list.list.data;
	CHECK_STR(v[0].id, "a\tb");
	CHECK_STR(v[0].host, "");
	CHECK_INT(v[0].nparams, 0);
	CHECK_INT(v[0].made, 10);
	CHECK_INT(v[0].until, 20);
	CHECK_STR(v[1].names[1], "t");
	CHECK_STR(v[1].values[0], "-w");
	CHECK_STR(v[1].values[1], "'); DROP\t\\");
	CHECK(!v[1].problem && activation_is_for(&v[0], "x") && activation_is_for(&v[1], "h1") &&
		!activation_is_for(&v[1], "x"));
}

/* A row that is none is no answer at all: what comes after it could be anything. */
static void test_no_rows(struct arena *a)
{
	static const char *const wrong[] = {
		"a",
		"\n",
		"a\tio\t\t[]\t[]\t1\t2",      /* cut */
		"a\tio\t\t[]\t[]\t1\n",	      /* a column less */
		"a\tio\t\t[]\t[]\t1\t2\t3\n", /* one more */
		"a\tio\t\t[]\t[]\t-1\t2\n",
		"a\tio\t\t[]\t[]\t1\t2x\n",
		"a\tio\t\t[]\t[]\t\t2\n",
		"a\tio\t\t[]\t[]\t1\t99999999999999999999\n",
		"a\tio\t\t\t[]\t1\t2\n",
		"a\tio\t\t['x]\t[]\t1\t2\n",
		"a\tio\t\t['x',]\t[]\t1\t2\n",
		"a\tio\t\t['x''y']\t[]\t1\t2\n",
		"a\tio\t\t[x]\t[]\t1\t2\n",
		"a\tio\t\t['x'\t[]\t1\t2\n",
		"a\\q\tio\t\t[]\t[]\t1\t2\n",
		"a\\",
	};
	struct activations list;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK_INT(read_rows(a, wrong[i], &list), -EBADMSG);
}

static void put_row(struct buf *b, unsigned n, const char *value)
{
	buf_puts(b, "a\tio\t\t[");
	for (unsigned i = 0; i < n; i++)
		buf_printf(b, "%s'%u'", i ? "," : "", i);
	buf_puts(b, "]\t[");
	for (unsigned i = 0; i < n; i++)
		buf_printf(b, "%s'%s'", i ? "," : "", value);
	buf_puts(b, "]\t1\t2\n");
}

static const char *problem_of(struct arena *a, unsigned n, const char *value)
{
	struct activations list;
	struct buf b = {0};

	put_row(&b, n, value);
	CHECK_INT(read_rows(a, b.data, &list), 0);
	CHECK(list.list.len == 1 && list.list.data[0].nparams <= ACTIVATION_PARAMS);
	buf_free(&b);
	return list.list.data[0].problem;
}

/* A row that asks for too much is refused alone. */
static void test_bounds(struct arena *a)
{
	char text[ACTIVATION_TEXT + 2];
	struct activations list;
	struct buf b = {0};

	memset(text, 'x', sizeof(text));
	text[ACTIVATION_TEXT + 1] = '\0';
	CHECK_STR(problem_of(a, 1, text), "a text is too long");
	text[ACTIVATION_TEXT] = '\0';
	CHECK_STR(problem_of(a, 1, text), NULL);
	CHECK_STR(problem_of(a, 1, "a\\0b"), "it has a NUL character");
	CHECK_STR(problem_of(a, ACTIVATION_PARAMS, "x"), NULL);
	CHECK_STR(problem_of(a, ACTIVATION_PARAMS + 1, "x"), "it has too many parameters");
	CHECK_INT(read_rows(a, "a\tio\t\t['x']\t[]\t1\t2\n", &list), 0);
	CHECK_STR(list.list.data[0].problem, "it has not as many arguments as parameters");
	CHECK_INT(list.list.data[0].nparams, 0);
	for (unsigned i = 0; i <= ACTIVATIONS_MOST; i++)
		put_row(&b, 0, "");
	CHECK_INT(read_rows(a, b.data, &list), 0);
	CHECK_INT(list.list.len, ACTIVATIONS_MOST);
	CHECK(list.problem);
	buf_free(&b);
}

/* ---- lines ---- */

static void test_file(struct arena *a)
{
	static const char text[] = "# comment\n"
				   "\n"
				   "io until=2026-11-26T10:00:00Z n=1 't=a b' x='-w'\n"
				   "io until=2026-11-26T11:00:00Z n=1 't=a b' x='-w'\n"
				   "io n=2\n"
				   "io until=2026-11-26T10:00:00\n"
				   "io until=2026-11-26T10:00:00Z until=2026-11-26T10:00:00Z\n"
				   "io -w\n"
				   "io 'x\n"
				   "io n=3";
	char name[ACTIVATION_TEXT + 1];
	struct activations list = {.arena = a};
	struct activation *v;

	activations_read_file(&list, "f", text, sizeof(text) - 1);
	CHECK_INT(list.list.len, 7); /* the first two are one */
	v = list.list.data;
	CHECK_INT(v[0].until, 1795687200);
	CHECK_INT(v[0].nparams, 3);
	CHECK_STR(v[0].values[1], "a b");
	CHECK_STR(v[0].values[2], "-w");
	CHECK(!v[1].problem && !v[1].until && strcmp(v[1].id, v[0].id) != 0);
	CHECK_STR(v[2].problem, "f:6: until takes a time such as 2026-11-26T10:00:00Z");
	CHECK_STR(v[3].problem, "f:7: until is given twice");
	CHECK_STR(v[4].problem, "f:8: expected PARAMETER=VALUE: -w");
	CHECK_STR(v[5].problem, "f:9: a quote is not closed, or a backslash ends it");
	CHECK_STR(v[6].values[0], "3");
	list.list.len = 0;
	activations_read_file(&list, "f", "io a=\0b\n", 8);
	CHECK_STR(list.list.data[0].problem, "f:1: it has a NUL character");
	list.list.len = 0;
	memset(name, 'x', sizeof(name));
	activations_read_file(&list, "f", name, ACTIVATION_TEXT);
	CHECK(!list.list.data[0].problem);
	CHECK_INT(strlen(list.list.data[0].instrument), ACTIVATION_TEXT);
	list.list.len = 0;
	activations_read_file(&list, "f", name, sizeof(name));
	CHECK_STR(list.list.data[0].problem, "f:1: a text is too long");
}

/* ---- how long ---- */

static bool ends(uint64_t made, uint64_t until, uint64_t first, uint64_t want)
{
	const struct activation a = {.made = made, .until = until};
	uint64_t end;

	return !activation_end(&a, first, &end) && end == want;
}

static bool is_refused(uint64_t made, uint64_t until, uint64_t first)
{
	const struct activation a = {.made = made, .until = until};
	uint64_t end;

	return activation_end(&a, first, &end);
}

static void test_end(void)
{
	const uint64_t day = ACTIVATION_SECONDS, now = 1795687200;

	CHECK(ends(now, now + 60, now, now + 60));
	CHECK(ends(now, now + day, now, now + day));
	CHECK(is_refused(now, now + day + 1, now));
	CHECK(is_refused(now, 0, now));
	CHECK(is_refused(0, 0, now));
	/* a file has no time at which a line was made */
	CHECK(ends(0, now + day, now, now + day));
	CHECK(is_refused(0, now + day + 1, now));
	/* one that was made before: what is left of it */
	CHECK(ends(now - day, now, now, now));
	CHECK(ends(now - 60, now + day - 60, now, now + day - 60));
	/* one that was made ahead does not last longer; a clock that is a little late is none */
	CHECK(is_refused(now + day, now + 2 * day, now));
	CHECK(ends(now + 100, now + 100 + day, now, now + day));
	/* one that is over */
	CHECK(ends(now - 60, now - 30, now, now - 30));
	CHECK(is_refused(1, UINT64_MAX, now));
}

static void test_hash(void)
{
	const struct activation one = {
		.instrument = "io", .nparams = 1, .names = {"ab"}, .values = {"c"}};
	struct activation other = one;

	CHECK(activation_hash(&one) == activation_hash(&other));
	other.until = 5; /* a longer one is the same */
	CHECK(activation_hash(&one) == activation_hash(&other));
	other.names[0] = "a";
	other.values[0] = "bc";
	CHECK(activation_hash(&one) != activation_hash(&other));
	other.nparams = 0;
	CHECK(activation_hash(&one) != activation_hash(&other));
}

/* ---- files ---- */

static void test_trusted(void)
{
	char dir[] = "/tmp/test_agent.XXXXXX";
	const char *problem;
	struct buf b = {0};
	int fd = mkdtemp(dir) && !chdir(dir) ? 0 : -1;

	CHECK_INT(fd, 0);
	fd = open("file", O_CREAT | O_WRONLY, 0644);

	CHECK(write(fd, "text", 4) == 4);
	close(fd);
	CHECK_INT(trusted_read("nosuch", 100, &b, &problem), -ENOENT);
	if (geteuid()) {
		CHECK_INT(trusted_read("file", 100, &b, &problem), -EPERM);
		CHECK_STR(problem, "it does not belong to root");
		unlink("file");
		rmdir(dir);
		return;
	}
	CHECK_INT(trusted_read("file", 4, &b, &problem), 0);
	CHECK(b.len == 4 && !memcmp(b.data, "text", 4));
	b.len = 0;
	CHECK_INT(trusted_read("file", 3, &b, &problem), -EFBIG);
	CHECK_INT(trusted_read(".", 100, &b, &problem), -EPERM);
	for (unsigned mode = 0; mode < 01000; mode++) {
		b.len = 0;
		chmod("file", mode);
		CHECK_INT(trusted_read("file", 100, &b, &problem), mode & 022 ? -EPERM : 0);
	}
	chmod("file", 0644);
	CHECK(!chown("file", 65534, 0));
	CHECK_INT(trusted_read("file", 100, &b, &problem), -EPERM);
	buf_free(&b);
	unlink("file");
	CHECK(!mkfifo("file", 0600));
	CHECK_INT(trusted_read("file", 100, &b, &problem), -EPERM); /* and does not wait */
	unlink("file");
	rmdir(dir);
}

/* Puts the script, another one and a FIFO in each other's place until FD is closed. */
static void exchange(int fd)
{
	char c;

	while (recv(fd, &c, 1, MSG_DONTWAIT) < 0) {
		renameat2(AT_FDCWD, "script", AT_FDCWD, "other", RENAME_EXCHANGE);
		renameat2(AT_FDCWD, "script", AT_FDCWD, "fifo", RENAME_EXCHANGE);
	}
	_exit(0);
}

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

/* The script is exchanged after its hash was checked: the checked one runs. */
static void test_exchanged(struct arena *a)
{
	static const char text[] = "BEGIN { exit(0); }\n";
	char dir[] = "/tmp/test_agent.XXXXXX", hash[SHA256_TEXT + 1], got[64];
	struct instrument i = {.name = "i", .where = "f:1", .file = "script", .sha256 = hash};
	unsigned opened = 0, refused = 0;
	const char *problem;
	int pair[2], fd = -1;
	pid_t child;

	if (geteuid())
		return;
	CHECK(mkdtemp(dir) && !chdir(dir) && !mkfifo("fifo", 0644));
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
	put_file("script", text);
	put_file("other", "BEGIN { raise(9); }\n");
	sha256_text(text, sizeof(text) - 1, hash);
	child = fork();
	if (!child) {
		close(pair[0]);
		exchange(pair[1]);
	}
	close(pair[1]);
	for (unsigned n = 0; n < 1000000 && (opened < 100 || refused < 100); n++) {
		if (script_open(a, &i, &fd, &problem)) {
			refused++;
			continue;
		}
		opened++;
		CHECK_INT(pread(fd, got, sizeof(got), 0), sizeof(text) - 1);
		CHECK(!memcmp(got, text, sizeof(text) - 1));
		CHECK(pwrite(fd, "x", 1, 0) < 0); /* sealed */
		close(fd);
	}
	CHECK(opened && refused);
	close(pair[0]);
	CHECK(waitpid(child, NULL, 0) == child);
	unlink("fifo");
	unlink("script");
	unlink("other");
	rmdir(dir);
}

int main(void)
{
	struct arena *a = arena_new();

	test_conf(a);
	test_rows(a);
	test_no_rows(a);
	test_bounds(a);
	test_file(a);
	test_end();
	test_hash();
	test_trusted();
	test_exchanged(a);
	arena_free(a);
	return test_done();
}
