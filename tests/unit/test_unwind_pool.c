// SPDX-License-Identifier: Apache-2.0
/* The pool of pages and the tables in it: trees of several levels, its limit, what is dropped. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/unwind.h"
#include "breaks.h"
#include "load/unwind/unwind_int.h"

static int new_array(uint32_t slabs)
{
	LIBBPF_OPTS(bpf_map_create_opts, mappable, .map_flags = BPF_F_MMAPABLE);
	int inner = bpf_map_create(
		BPF_MAP_TYPE_ARRAY, "inner", 4, DT_UNWIND_PAGE, DT_SLAB_PAGES, &mappable);
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = (uint32_t)inner);
	int fd;

	if (inner < 0)
		test_skip(errno == EPERM ? "not root" : strerror(errno));
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "outer", 4, 4, slabs, &opts);
	close(inner);
	CHECK(fd >= 0);
	return fd;
}

/* The rule at PC as the walker finds it. */
static uint32_t find(struct pool *p, const struct unwind_object *o, uint32_t pc)
{
	uint32_t page = o->root, rule = 0;

	for (uint32_t level = 0; level < o->levels; level++) {
		const struct dt_unwind_row *rows = pool_page(p, page);
		uint32_t i = 0;

		while (i + 1 < DT_UNWIND_ROWS && rows[i + 1].pc <= pc)
			i++;
		rule = rows[i].pc <= pc ? rows[i].rule : DT_UNWIND_NONE;
		page = rule;
	}
	return rule;
}

static int self(void)
{
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

/* Each row of a real file, first and last byte, is found in its tree. */
static void test_tree(const char *file, uint32_t levels)
{
	struct unwind_objects all = {0};
	struct unwind_table t;
	struct unwind_object *o;
	uint32_t wrong = 0;
	struct pool p;
	int map = new_array(8), fd = open(file, O_RDONLY | O_CLOEXEC);

	CHECK_INT(unwind_read(fd, &t), 0);
	CHECK_INT(pool_init(&p, map, 8), 0);
	o = objects_find(&all, fd, NULL);
	CHECK(o != NULL);
	object_build(o, &p);
	CHECK(o->root != 0);
	CHECK_INT(o->levels, levels);
	CHECK_INT(o->pages.len, p.used);
	for (uint32_t i = 0; i + 1 < t.n; i++) {
		wrong += find(&p, o, t.rows[i].pc) != t.rows[i].rule;
		wrong += find(&p, o, t.rows[i + 1].pc - 1) != t.rows[i].rule;
	}
	CHECK(t.n > 100);
	CHECK_INT(wrong, 0);
	unwind_free(&t);
	objects_free(&all, &p);
	CHECK_INT(p.used, 0);
	pool_fini(&p);
	close(map);
}

/* The same file by another descriptor is the same object; a copy too, by its build id. */
static void test_same(void)
{
	struct unwind_objects all = {0};
	struct unwind_object *o;
	FILE *copy = tmpfile();
	static char data[16 << 20];
	struct pool p;
	int map = new_array(2), from = self(), to = dup(fileno(copy));
	ssize_t n = read(from, data, sizeof(data));

	fclose(copy);
	CHECK(n > 0 && n < (ssize_t)sizeof(data) && write(to, data, (size_t)n) == n);
	CHECK_INT(pool_init(&p, map, 2), 0);
	o = objects_find(&all, from, NULL);
	CHECK(objects_find(&all, self(), NULL) == o);
	CHECK(o && o->has_id);
	CHECK(objects_find(&all, to, NULL) == o);
	CHECK_INT(all.n, 1);
	CHECK(objects_vdso(&all) != o);
	CHECK(objects_vdso(&all) == objects_vdso(&all));
	CHECK_INT(all.n, 2);
	objects_free(&all, &p);
	pool_fini(&p);
	close(map);
}

/* One slab has 255 pages; those that were given back rest before they are used again. */
static void test_limit(void)
{
	struct pages mine = {0}, other = {0};
	int map = new_array(1);
	struct pool p;
	uint32_t n = 0;

	CHECK_INT(pool_init(&p, map, 1), 0);
	while (pool_take(&p, &mine))
		n++;
	CHECK_INT(n, DT_SLAB_PAGES - 1);
	CHECK_INT(mine.len, n);
	CHECK(p.full);
	pool_give(&p, &mine);
	CHECK_INT(p.used, 0);
	CHECK_INT(mine.len, 0);
	CHECK_INT(pool_take(&p, &other), 0);
	for (uint32_t i = 0; i < p.free.len; i++) /* as if that had been long ago */
		p.free.data[i].since -= 2000000000;
	for (n = 0; pool_take(&p, &other);)
		n++;
	CHECK_INT(n, DT_SLAB_PAGES - 1);
	pool_give(&p, &other);
	pool_fini(&p);
	close(map);
}

/* A table that has no room leaves nothing behind; what nobody uses is dropped, the rest is not. */
static void test_drop(void)
{
	struct unwind_objects all = {0};
	struct unwind_object *o, *used;
	struct pages rest = {0};
	int map = new_array(1);
	struct pool p;

	CHECK_INT(pool_init(&p, map, 1), 0);
	used = objects_vdso(&all);
	object_build(used, &p);
	used->users = 1;
	CHECK_INT(used->pages.len, 1);
	while (p.used < DT_SLAB_PAGES - 2)
		pool_take(&p, &rest);
	o = objects_find(&all, self(), NULL);
	object_build(o, &p); /* one page is not enough */
	CHECK(o->root == 0);
	CHECK(p.full);
	CHECK_INT(o->pages.len, 0);
	CHECK_INT(p.used, DT_SLAB_PAGES - 2);
	CHECK(!objects_drop(&all, &p, 1));
	CHECK(objects_drop(&all, &p, unwind_now() + 1));
	CHECK_INT(all.n, 1);
	CHECK(all.first == used);
	objects_free(&all, &p);
	pool_give(&p, &rest);
	CHECK_INT(p.used, 0);
	pool_fini(&p);
	close(map);
}

struct giving {
	struct pool pool;
	struct pages owner, same;
};

static void give_twice(void *arg)
{
	struct giving *g = arg;

	heapvec_push(&g->same, g->owner.data[0]);
	pool_take(&g->pool, &g->owner);
	pool_give(&g->pool, &g->owner);
	pool_give(&g->pool, &g->same);
}

static void never_taken(void *arg)
{
	struct giving *g = arg;

	pool_page(&g->pool, g->owner.data[0] + 1);
}

static void test_defects(void)
{
	struct giving g = {0};
	int map = new_array(2);

	CHECK_INT(pool_init(&g.pool, map, 2), 0);
	CHECK(pool_take(&g.pool, &g.owner) != 0);
	CHECK(breaks("load/unwind/pool.c", give_twice, &g));
	CHECK(breaks("load/unwind/pool.c", never_taken, &g));
	pool_give(&g.pool, &g.owner);
	pool_fini(&g.pool);
	close(map);
}

int main(void)
{
	test_tree("/proc/self/exe", 2);
	test_tree("/lib/x86_64-linux-gnu/libc.so.6", 2);
	test_same();
	test_limit();
	test_drop();
	test_defects();
	return test_done();
}
