// SPDX-License-Identifier: Apache-2.0
/* Tests vectors, maps of strings, tables of records, buffers and diagnostics. */
#include <errno.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/rectab.h"
#include "base/sha256.h"
#include "base/strmap.h"
#include "breaks.h"
#include "test.h"

static void test_vec(void)
{
	struct arena *a = arena_new();
	VEC(int) v = {0};
	int sum = 0;

	vec_for (p, &v)
		sum++;
	CHECK_INT(sum, 0);
	for (int i = 0; i < 1000; i++)
		vec_push(a, &v, i);
	vec_for (p, &v)
		sum += *p;
	CHECK_INT(v.len, 1000);
	CHECK_INT(sum, 499500);
	CHECK_INT(vec_last(&v), 999);
	arena_free(a);
}

static void test_strmap(void)
{
	struct arena *a = arena_new();
	struct strmap m = {0};

	CHECK(!strmap_get(&m, "none"));
	for (long i = 0; i < 5000; i++)
		strmap_put(a, &m, arena_printf(a, "key%ld", i), (void *)(i + 1));
	strmap_put(a, &m, "key7", (void *)42L);
	CHECK_INT((long)strmap_get(&m, "key7"), 42);
	CHECK_INT((long)strmap_get(&m, "key4999"), 5000);
	CHECK(!strmap_get(&m, "key5000"));
	CHECK_INT(m.entries.len, 5000);
	CHECK_STR(m.entries.data[3].key, "key3");
	arena_free(a);
}

static void test_buf(void)
{
	struct buf b = {0};

	buf_puts(&b, "ab");
	buf_align(&b, 8);
	CHECK_INT(b.len, 8);
	buf_printf(&b, "%s", "x");
	buf_putc(&b, 'y');
	CHECK_INT(memcmp(b.data, "ab\0\0\0\0\0\0xy", 11), 0);
	for (int i = 0; i < 10000; i++)
		buf_put(&b, "0123456789", 10);
	CHECK_INT(b.len, 100010);
	CHECK(!b.failed);
	buf_free(&b);
	CHECK(!b.data && !b.len);
}

static void test_diag(void)
{
	struct arena *a = arena_new();
	struct diags d = {.arena = a, .region = REGION_ACTIONS};
	struct loc loc = {NULL, 3, 4};

	diag_hint(&d, "there is no error that it could be for");
	CHECK_INT(d.list.len, 0);
	diag_add(&d, "D_SYNTAX", loc, "near \"%s\"", "x");
	CHECK_INT(d.list.len, 1);
	CHECK_STR(d.list.data[0].tag, "D_SYNTAX");
	CHECK_STR(d.list.data[0].text, "near \"x\"");
	CHECK_INT(d.list.data[0].region, REGION_ACTIONS);
	CHECK_INT(d.list.data[0].loc.col, 4);
	CHECK_STR(d.list.data[0].hint, NULL);
	diag_hint(&d, "did you mean %s?", "y");
	CHECK_STR(d.list.data[0].hint, "did you mean y?");
	diag_line(&d, 5);
	CHECK_INT(d.list.data[0].line, 5);
	d.list.len = 0; /* a list that was cut leaves nothing behind */
	diag_add(&d, "D_SYNTAX", loc, "another");
	CHECK_STR(d.list.data[0].hint, NULL);
	CHECK_INT(d.list.data[0].line, 0);
	arena_free(a);
}

/* The examples of FIPS 180-4, and lengths around the end of a block. */
static void test_sha256(void)
{
	static const struct {
		const char *text;
		unsigned times;
		const char *hash;
	} vectors[] = {
		{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{"a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{"a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	};

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		char hash[SHA256_TEXT + 1];
		struct buf b = {0};

		for (unsigned n = 0; n < vectors[i].times; n++)
			buf_puts(&b, vectors[i].text);
		sha256_text(b.data, b.len, hash);
		CHECK_STR(hash, vectors[i].hash);
		buf_free(&b);
	}
}

static bool keep_odd(void *arg, void *rec)
{
	(void)arg;
	return *(const uint32_t *)((const char *)rec + 8) & 1;
}

static bool add_other(void *t, void *rec)
{
	uint32_t other = 1000;

	(void)rec;
	rectab_put(t, &other);
	return true;
}

static void add_within(void *t)
{
	rectab_filter(t, add_other, t);
}

static void test_rectab(void)
{
	struct rectab t;

	rectab_init(&t, sizeof(uint32_t), 8);
	for (uint32_t i = 0; i < 300; i++)
		CHECK_INT(rectab_put(&t, &i), i);
	rectab_filter(&t, keep_odd, NULL);
	CHECK_INT(t.n, 150);
	for (uint32_t i = 0; i < 300; i++)
		CHECK_INT(rectab_find(&t, &i), i & 1 ? (int)i / 2 : -ENOENT);
	CHECK(breaks("base/rectab.c", add_within, &t));
	rectab_fini(&t);
}

int main(void)
{
	test_vec();
	test_strmap();
	test_buf();
	test_diag();
	test_sha256();
	test_rectab();
	return test_done();
}
