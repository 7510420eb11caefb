/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes the data that programs produce, from the compiler to the consumer: the layout of each
 * clause's record and of each aggregation's key and value.  Pure description, in the compilation's
 * arena; offsets and sizes are in bytes.
 */
#ifndef ABI_RECORD_H
#define ABI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/action.h"
#include "abi/aggregation.h"
#include "abi/flags.h"

/* The interpretation of a datum's bytes. */
enum datum_kind {
	DATUM_INT,	 /* size 1, 2, 4 or 8; is_signed */
	DATUM_PTR,	 /* 8 bytes, an address */
	DATUM_FLOAT,	 /* size 4, 8 or 16 */
	DATUM_STRING,	 /* NUL-terminated within size */
	DATUM_CHARS,	 /* an array of one-byte integers: up to size bytes, NUL ends it; is_char */
	DATUM_BYTES,	 /* a struct, union or other array */
	DATUM_SYSCALL,	 /* struct dt_syscall (abi/syscalls.h): a string */
	DATUM_FLAGS,	 /* 8 bytes, the number that a string of set `flags` names */
	DATUM_LITERAL,	 /* a string constant: no bytes, text in `literal` */
	DATUM_PROBEPROV, /* no bytes: a name of the probe that fired */
	DATUM_PROBEMOD,
	DATUM_PROBEFUNC,
	DATUM_PROBENAME,
	DATUM_PROBEFILE, /* the source file */
	DATUM_PROBEID,	 /* key only: 8 bytes, the id of the probe whose part `part` it names; for
			    DATUM_PROBEPROV, in the high half, the process if any may fire it, else 0
			  */
	DATUM_STACK,	 /* size / 8 program counters, zero-filled */
	DATUM_USTACK,	 /* struct dt_ustack */
	/* 8 bytes, the id of a kept stack (abi/stacks.h), 0 = none */
	DATUM_STACK_ID,
	DATUM_USTACK_ID,
	DATUM_SYM,  /* 8 bytes, a kernel address: sym(), func() */
	DATUM_MOD,  /* mod() */
	DATUM_USYM, /* struct dt_uaddr: usym(), ufunc() */
	DATUM_UADDR,
	DATUM_UMOD,
};

struct datum {
	enum datum_kind kind;
	bool is_signed;
	bool is_char; /* DATUM_CHARS: the elements are of type char itself */
	uint32_t offset, size;
	const char *type;		/* the D type's name, for messages and JSON */
	const char *literal;		/* DATUM_LITERAL */
	enum flag_set flags;		/* DATUM_FLAGS */
	const struct flag_newer *newer; /* DATUM_SYSCALL: names of the running kernel */
	enum datum_kind part;		/* DATUM_PROBEID: DATUM_PROBEPROV..DATUM_PROBEFILE */
	/* of a string: bytes of the D string, with its NUL, which may be more or less than SIZE */
	uint32_t string_size;
};

/* True if the datum is addresses of a process, whose id comes first in 8 bytes. */
static inline bool datum_is_user(const struct datum *d)
{
	return d->kind == DATUM_USTACK || d->kind == DATUM_USYM || d->kind == DATUM_UADDR ||
		d->kind == DATUM_UMOD;
}

static inline bool datum_is_kept_stack(const struct datum *d)
{
	return d->kind == DATUM_STACK_ID || d->kind == DATUM_USTACK_ID;
}

struct type;

/* How an object of C++'s libraries has a string. */
enum cxx_form {
	CXX_PLAIN, /* a pointer to the text, and its length */
	/* a pointer to the text; CXX_COW_LENGTH bytes before the text is its length, 8 bytes */
	CXX_COW,
	CXX_SHORT, /* if the flag is set, as CXX_PLAIN, else the text itself */
};

#define CXX_COW_LENGTH 24

/* Places in the object, bytes from its start. */
struct cxx_string {
	enum cxx_form form;
	uint32_t text;	 /* the pointer, 8 bytes */
	uint32_t length; /* bytes of text, 8 bytes; not CXX_COW */
	/* CXX_SHORT: */
	uint32_t flag; /* a byte, where bit FLAG_BIT says that the text is elsewhere */
	uint32_t flag_bit;
	uint32_t shift; /* of the byte, to get the length of a text that is here */
	uint32_t here;	/* where such a text is */
};

/*
 * The text of a std::string in the value of a REC_PRINT: at `offset` in the record are 4 bytes with
 * the number of bytes that were read, or DT_TEXT_UNREAD, and 4 that are not 0 if there are more.
 * The text follows.
 */
struct rec_text {
	uint32_t at; /* where the string is, bytes from the value's start */
	struct cxx_string string;
	uint32_t offset;
	uint32_t most; /* bytes that may be read */
	uint32_t room; /* a power of two, at least that */
};
#define DT_TEXT_UNREAD UINT32_MAX

struct rec_action {
	enum rec_action_kind kind;
	const char *name;	  /* of the function in D */
	const struct type *ctype; /* REC_PRINT */
	const struct rec_text *texts;
	uint32_t ntexts;
	const struct format *format; /* lang/format.h; NULL where there is none */
	const struct datum *data;
	uint32_t ndata;
	const struct agg_desc *const *aggs;
	uint32_t naggs;
	/* if it may fail when it is carried out: as in struct dt_fault's fault; 0: unknown */
	uint32_t place;
};

#define RECORD_NAME 16 /* bytes of a thread's name, with a NUL */

/* One clause's record. */
struct rec_desc {
	uint32_t number; /* place in the session's table, which records name it by */
	uint32_t clause; /* number of its clause in session order: dt_clause_N */
	uint32_t size;	 /* whole record with its struct dt_rec; 0 = the clause records nothing */
	/*
	 * The offset of the last datum if that is a DATUM_SYSCALL, else 0.  Such a record can end
	 * after the bytes of the datum that are used, or before it if the action did not run.
	 */
	uint32_t tail;
	const struct rec_action *actions; /* none: the default action */
	uint32_t nactions;
	/*
	 * If the clause chooses among its actions (if, ?:), a bitmap in the record says which of
	 * them ran: bit n of the 64-bit words at offset `ran` is actions[n].
	 */
	bool conditional;
	bool may_be_empty; /* all of them are chosen: none may have run */
	uint32_t ran;
	/* after speculate(): the 64-bit word at offset `spec` names the speculation, 0 = none */
	bool speculative;
	uint32_t spec;
	/* where times are wanted, the monotonic clock's ns are in 8 bytes at offset `time` */
	bool timed;
	uint32_t time;
	/*
	 * where threads are wanted, the number of the process (upper half) and of the thread is in
	 * the 64-bit word at offset `thread`, and then the names that execname and threadname give
	 * (RECORD_NAME each)
	 */
	bool with_thread;
	uint32_t thread;
	/* where any process fires the probe, its number is in the 64-bit word at offset `process`
	 */
	bool by_process;
	uint32_t process;
};

struct agg_desc {
	const char *name; /* without @; "_" for the unnamed one */
	uint32_t id;	  /* 1, 2, ... in order of first appearance */
	enum agg_func func;
	struct agg_params params;
	uint32_t nbuckets; /* of a distribution, else 0 */
	const struct datum *keys;
	uint32_t nkeys;
	uint32_t key_size; /* with the bucket number; 4 when there are no keys */
	/*
	 * If interrupts update it, or the user said how large it is: a per-CPU hash could take one
	 * new key a firing, and few in a burst. Then the map is an ordinary hash, with the CPU's
	 * number in 8 bytes after the key.
	 */
	bool by_cpu;
	/*
	 * If the map has other aggregations too: with keys, the last 8 bytes of the map's key are
	 * the id, and zeros fill the gap before them; without keys, the array's first element of
	 * this aggregation is number `base`.
	 */
	bool shared;
	uint32_t base;
	uint32_t map_key_size;
	uint32_t bucket_off; /* of the bucket number in the key, when there are keys */
	uint32_t value_size; /* of the map, per CPU */
	const char *map;     /* name of the map */
};

static inline const struct agg_info *agg_desc_info(const struct agg_desc *d)
{
	return agg_info(d->func);
}

/* Returns the offset of the id in a key of a shared map. */
static inline uint32_t agg_id_offset(const struct agg_desc *d)
{
	return d->map_key_size - 8;
}

/* Returns the offset of the CPU's number in the map's key, if by_cpu. */
static inline uint32_t agg_cpu_offset(const struct agg_desc *d)
{
	return d->map_key_size - (d->shared ? 16 : 8);
}

/*
 * Returns the elements of the map of an aggregation without keys.  That of a distribution has one
 * after its buckets: the updates with a weight that may not show in them, being 0 or negative.
 */
static inline uint32_t agg_unkeyed_entries(const struct agg_desc *d)
{
	return d->nbuckets + 1;
}

static inline bool agg_is_distribution(const struct agg_desc *d)
{
	return agg_func_is_distribution(d->func);
}

#endif
