/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_key: rewrites the keys of maps into those of rows, and compares them.
 *
 * An address becomes the start of its symbol or module, and the id of a probe or stack the first id
 * with the same name or frames, so that keys that look alike are equal.
 */
#ifndef CONSUME_AGG_KEY_H
#define CONSUME_AGG_KEY_H

#include "abi/record.h"
#include "base/heapvec.h"
#include "base/rectab.h"

struct agg_row;
struct stacks;
struct symtab;

struct key_name {
	uint64_t id;
	enum datum_kind part;
	char *text;
	uint32_t first; /* number of the first name with this part and text */
	uint32_t next;	/* number + 1 of another name with the same hash of its text */
};

/* Zeroed but for the first four; keys_free() frees what it learns. */
struct agg_keys {
	struct symtab *syms;   /* borrowed; NULL: addresses stay as they are */
	struct stacks *stacks; /* borrowed; NULL: no key names a stack */
	/* The probe with this id; asked once for each.  NULL: ids stay as they are. */
	const struct probe *(*probe)(void *arg, uint64_t id);
	void *probe_arg;
	struct rectab by_id, by_text; /* numbers of names */
	HEAPVEC(struct key_name) names;
};

void keys_free(struct agg_keys *k);

/* Bytes of a key of D as rows have it: without the bucket number. */
uint32_t key_len(const struct agg_desc *d);

/* True if bytes of D's keys change on their way into a row. */
bool key_rewrites(const struct agg_keys *keys, const struct agg_desc *d);

/*
 * Rewrites KEY of D in place: 0 or -ENOMEM.  Clears *SETTLED if another call may make something
 * else of the key: the name of an address, or the frames of a stack, can come later.
 */
int key_rewrite(struct agg_keys *keys, const struct agg_desc *d, void *key, bool *settled);

/*
 * Compare keys of rows: <0, 0, >0; from key number FIRST, wrapping.  The two may be laid out
 * differently.  The hash is the same for keys that compare equal; SAME_SIZES: no two of the
 * keys to be compared have numbers of different sizes.
 */
int key_compare(const struct agg_keys *keys, const struct agg_row *x, const struct agg_row *y,
	uint32_t first);
uint64_t key_hash(const struct agg_keys *keys, const struct agg_row *r, bool same_sizes);

/* Returns a number that orders keys as datum number N does, as far as it goes. */
uint64_t key_prefix(const struct agg_keys *keys, const struct agg_row *r, uint32_t n);

/* True if that number alone decides. */
bool key_prefix_is_all(const struct agg_keys *keys, const struct agg_row *r, uint32_t n);

#endif
