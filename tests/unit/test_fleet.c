// SPDX-License-Identifier: Apache-2.0
/* Tests what is sent to a fleet's database: the text of rows, batches, the spool's bounds, URLs and
 * credentials. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "fleet/batch.h"
#include "fleet/spool.h"
#include "fleet/tables.h"
#include "fleet/target.h"
#include "test.h"

static void check_text(const char *from, size_t len, const char *want)
{
	struct buf b = {0};

	fleet_put_text(&b, from, len);
	buf_putc(&b, '\0');
	CHECK_STR(b.data, want);
	buf_free(&b);
}

/* A row's columns cannot be left, whatever a process is called. */
static void test_text(void)
{
	char every[256];
	struct buf b = {0};

	check_text("", 0, "\t");
	check_text(
		"'); DROP TABLE dtrace.numbers; --", 33, "\\'); DROP TABLE dtrace.numbers; --\t");
	check_text("<b>&amp;</b>", 12, "<b>&amp;</b>\t");
	check_text("a\tb\nc\rd\be\f\\N", 12, "a\\tb\\nc\\rd\\be\\f\\\\N\t");
	check_text("a\0b", 3, "a\\0b\t");
	check_text("\377\376 \303", 4, "\377\376 \303\t");
	for (int i = 0; i < 256; i++)
		every[i] = (char)i;
	fleet_put_escaped(&b, every, sizeof(every));
	CHECK_INT(b.len, 256 + 8);
	for (size_t i = 0; i < b.len; i++)
		CHECK(b.data[i] != '\t' && b.data[i] != '\n' && b.data[i] != '\0');
	buf_free(&b);
}

/* They are in databases: another version has to compute the same. */
static void test_hash(void)
{
	CHECK(fleet_hash("", 0) == 0xcbf29ce484222325ull);
	CHECK(fleet_hash("a", 1) == 0xaf63dc4c8601ec8cull);
	CHECK(fleet_hash_more(fleet_hash("fo", 2), "obar", 4) == fleet_hash("foobar", 6));
	CHECK(fleet_hash("foobar", 6) == 0x85944171f73967e8ull);
}

static void test_schema(void)
{
	const char *problem = NULL;
	struct buf b = {0};

	CHECK_INT(fleet_schema("clickhouse", &b, &problem), 0);
	CHECK(strstr(b.data, "CREATE TABLE IF NOT EXISTS dtrace.numbers (\n"));
	CHECK(!strstr(b.data, "Distributed("));
	b.len = 0;
	CHECK_INT(fleet_schema("clickhouse:web_1", &b, &problem), 0);
	CHECK(strstr(b.data, "Distributed(web_1, dtrace, numbers_local, cityHash64(host));"));
	CHECK_INT(fleet_schema("clickhouse:", &b, &problem), -EINVAL);
	CHECK_INT(fleet_schema("clickhouse:a;b", &b, &problem), -EINVAL);
	CHECK_INT(fleet_schema("clickhouse:1a", &b, &problem), -EINVAL);
	CHECK_INT(fleet_schema("click", &b, &problem), -EINVAL);
	b.len = 0;
	fleet_put_insert(&b, FLEET_FRAMES);
	buf_putc(&b, '\0');
	CHECK_STR(b.data,
		"INSERT INTO dtrace.frames (frame, text, host, ts, seq) FORMAT TabSeparated");
	buf_free(&b);
}

/* ---- batches ---- */

static void check_gzip(const struct batch_section *s, const char *text, size_t len)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)s->gzip, .avail_in = (uInt)s->len};
	char *out = malloc(len + 1);

	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)len + 1;
	CHECK_INT(inflateInit2(&z, 15 + 16), Z_OK);
	CHECK_INT(inflate(&z, Z_FINISH), Z_STREAM_END);
	CHECK_INT(z.total_out, len);
	CHECK(!memcmp(out, text, len));
	inflateEnd(&z);
	free(out);
}

static void test_batch(void)
{
	static char big[300000];
	struct batch_section s;
	struct buf b = {0}, cut;
	size_t at = 0;

	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)(i * 7919 >> 3);
	CHECK_INT(batch_put(&b, FLEET_FRAMES, 2, "a\tb\nc\td\n", 8), 0);
	CHECK_INT(batch_put(&b, FLEET_NUMBERS, 3, big, sizeof(big)), 0);
	CHECK_INT(batch_next(&b, &at, &s), 1);
	CHECK_INT(s.table, FLEET_FRAMES);
	CHECK_INT(s.rows, 2);
	check_gzip(&s, "a\tb\nc\td\n", 8);
	CHECK_INT(batch_next(&b, &at, &s), 1);
	check_gzip(&s, big, sizeof(big));
	CHECK_INT(batch_next(&b, &at, &s), 0);
	/* a file that was cut, or changed, is no batch, wherever that is */
	for (size_t len = 1; len < b.len; len += 1 + len / 16) {
		int more = 1;

		cut = (struct buf){.data = b.data, .len = len};
		for (at = 0; more == 1;)
			more = batch_next(&cut, &at, &s);
		CHECK(more == -EBADMSG || at == len);
	}
	b.data[40] ^= 1;
	at = 0;
	CHECK_INT(batch_next(&b, &at, &s), -EBADMSG);
	buf_free(&b);
}

/* ---- the spool ---- */

static char folder[64];

static struct spool *open_spool(const char *target, uint64_t run, uint64_t bytes, uint64_t age)
{
	const struct spool_limits limits = {bytes, age};
	struct spool *s = NULL;

	CHECK_INT(spool_open(folder, target, run, &limits, &s), 0);
	return s;
}

/* Takes a batch, compares its first byte and ends it. */
static void check_take(struct spool *s, uint64_t now, char want, bool sent)
{
	struct spool_batch b;

	CHECK_INT(spool_take(s, now, &b), want != 0);
	if (!want)
		return;
	CHECK_INT(b.data.len, 100);
	CHECK_INT(b.data.len ? b.data.data[0] : 0, want);
	spool_release(s, &b, sent);
}

static void add(struct spool *s, uint64_t now, char what, uint64_t rows)
{
	char data[100];

	memset(data, what, sizeof(data));
	CHECK_INT(spool_add(s, now, data, sizeof(data), rows), 0);
}

static void test_spool(void)
{
	struct spool *s = open_spool("http://a/", 1, 350, 1000), *other, *same;
	struct spool_batch b, c;

	/* oldest first; what is not sent comes again after the others */
	add(s, 5000, 'a', 1);
	add(s, 5001, 'b', 2);
	add(s, 5002, 'c', 4);
	CHECK_INT(spool_counts(s).waiting, 7);
	check_take(s, 5003, 'a', false);
	check_take(s, 5003, 'b', true);
	check_take(s, 5003, 'c', false);
	check_take(s, 5003, 'a', false);
	CHECK_INT(spool_counts(s).batches, 2);

	/* too many bytes: the oldest goes, and its rows are counted */
	add(s, 5004, 'd', 8);
	add(s, 5005, 'e', 16);
	CHECK_INT(spool_counts(s).dropped, 1);
	CHECK_INT(spool_counts(s).waiting, 4 + 8 + 16);

	/* another target has its own batches, which count for the bound */
	other = open_spool("http://b/", 2, 350, 1000);
	check_take(other, 5006, 0, false);
	add(other, 5006, 'f', 32);
	CHECK_INT(spool_counts(other).dropped, 4);
	CHECK_INT(spool_counts(s).batches, 2);
	check_take(other, 5007, 'f', true);

	/* one that is being sent is locked */
	same = open_spool("http://a/", 3, 350, 1000);
	CHECK_INT(spool_take(s, 5007, &b), 1);
	CHECK_INT(spool_take(same, 5007, &c), 1);
	CHECK(b.data.data[0] != c.data.data[0]);
	spool_release(same, &c, false);
	spool_release(s, &b, true);
	CHECK_INT(spool_counts(same).batches, 1);

	/* too old */
	check_take(same, 5004 + 1002, 0, false);
	CHECK(spool_counts(same).dropped == 8 || spool_counts(same).dropped == 16);
	CHECK_INT(spool_counts(same).batches, 0);

	/* one that never fits */
	add(s, 6100, 'g', 3);
	spool_free(s);
	s = open_spool("http://a/", 4, 50, 1000);
	add(s, 6101, 'h', 5);
	CHECK_INT(spool_counts(s).dropped, 5);
	check_take(s, 6101, 'g', true);
	spool_free(s);
	spool_free(same);
	spool_free(other);
	CHECK_INT(rmdir(folder), 0);
}

/* Without a folder batches wait in memory, for a while. */
static void test_memory(void)
{
	const struct spool_limits limits = {1000, 10};
	struct spool *s = NULL;
	static char big[5 << 20];

	CHECK_INT(spool_open("/dev/null/spool", "http://a/", 1, &limits, &s), -ENOTDIR);
	CHECK_INT(spool_counts(s).error, ENOTDIR);
	add(s, 100, 'a', 1);
	check_take(s, 101, 'a', false);
	check_take(s, 101, 'a', true);
	check_take(s, 101, 0, false);
	add(s, 102, 'b', 2);
	check_take(s, 120, 0, false);
	CHECK_INT(spool_counts(s).dropped, 2);
	CHECK_INT(spool_add(s, 130, big, sizeof(big), 4), 0);
	CHECK_INT(spool_add(s, 131, big, sizeof(big), 8), 0);
	CHECK_INT(spool_counts(s).dropped, 2 + 4);
	CHECK_INT(spool_counts(s).waiting, 8);
	spool_free(s);
}

/* ---- the target ---- */

static void test_url(void)
{
	CHECK(!target_problem("http://127.0.0.1:8123/"));
	CHECK(!target_problem("https://[::1]:8443/clickhouse/"));
	CHECK(target_problem("http://"));
	CHECK(target_problem("http:///x"));
	CHECK(target_problem("file:///etc/passwd"));
	CHECK(target_problem("HTTP://x@y/"));
	CHECK(target_problem("http://user:password@host/"));
	CHECK(target_problem("http://host/?password=x"));
	CHECK(target_problem("http://host/#x"));
	CHECK(target_problem("http://host/a b"));
	CHECK(target_problem("http://host/\n"));
}

static int read_credentials(const char *text, mode_t mode, struct target_credentials *c)
{
	const char *problem = NULL;
	char path[80];
	int fd, err;

	snprintf(path, sizeof(path), "%s.credentials", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	fchmod(fd, mode);
	close(fd);
	err = target_credentials(path, c, &problem);
	CHECK(!err || problem);
	unlink(path);
	return err;
}

static void test_credentials(void)
{
	struct target_credentials c;
	const char *problem = NULL;
	char text[600];

	CHECK_INT(read_credentials("# me\nuser=a b\n\npassword=x=y\r\n", 0600, &c), 0);
	CHECK_STR(c.user, "a b");
	CHECK_STR(c.password, "x=y");
	CHECK_INT(read_credentials("user=a", 0400, &c), 0);
	CHECK_STR(c.password, "");
	CHECK_INT(read_credentials("user=a\n", 0640, &c), -EPERM);
	CHECK_INT(read_credentials("user=a\n", 0604, &c), -EPERM);
	CHECK_INT(read_credentials("user=a\nother=b\n", 0600, &c), -EINVAL);
	CHECK_INT(read_credentials("password=b\n", 0600, &c), -EINVAL);
	memset(text, 'x', sizeof(text));
	memcpy(text, "user=a\npassword=", 16);
	text[sizeof(text) - 1] = '\0';
	CHECK_INT(read_credentials(text, 0600, &c), -EINVAL);
	CHECK_INT(target_credentials("/dev/null", &c, &problem), -EINVAL);
	CHECK_INT(target_credentials("/nonexistent", &c, &problem), -ENOENT);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/fleet.%d", tmp && strlen(tmp) < 40 ? tmp : "/tmp",
		(int)getpid());
	test_text();
	test_hash();
	test_schema();
	test_batch();
	test_spool();
	test_memory();
	test_url();
	test_credentials();
	return test_done();
}
