// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks the frames of PHP's Zend Engine.
 *
 * PHP functions that call each other run in one call of execute_ex(), a C function, which is not
 * shown; their frames are, in its place.  A frame that C code called is marked (ZEND_CALL_TOP in
 * Zend/zend_compile.h) and is the last one of its execute_ex().  Functions that are written in C
 * have a frame as well.
 *
 * Code that the JIT of opcache makes runs in the C frame of execute_ex(): it is jumped to.
 */
#include "abi/managed.h"
#include "arch/arch.bpf.h"
#include "rt/managed/managed.h"

/* Zend/zend_compile.h: what kind of function, what a frame is */
enum { PHP_INTERNAL = 1, PHP_USER = 2, PHP_EVAL = 4 };
#define PHP_CALL_TOP	   (1u << 17)
#define PHP_CALL_GENERATOR (1u << 24)
#define PHP_STATIC	   (1u << 4) /* of a function's flags */

/* struct zend_string of Zend/zend_types.h */
#define STRING_TYPE 6 /* IS_STRING */
#define STRING_VAL  24

struct php_string {
	__u32 refcount, type;
	__u64 hash, len;
};

/* Bytes of each structure that are read at once. */
#define PHP_FRAME    56
#define PHP_HEAD     24 /* of a function in C */
#define PHP_FUNCTION 168
#define PHP_UNNAMED  4 /* frames without a function that may be between two with one */

struct php_walk {
	__u64 frame;  /* the next to be shown; 0: there is none */
	__u64 opline; /* what execute_ex() has in its register, if it is the innermost frame */
	__u32 ended;  /* the execute_ex() where the walk is has no more frames */
	__u32 type;
	/* of a frame */
	__u64 function, info, scope;
	__u64 name; /* a struct zend_string; 0: code outside of functions */
	__u64 file;
	__u64 name_len, scope_len, file_len;
	__u64 generator; /* that is running */
	__u64 previous;	 /* of the frame that began the generators */
	struct managed_jit jit;
	struct php_string str;
	__u8 head[PHP_FRAME];
	__u8 body[PHP_FUNCTION]; /* of FUNCTION */
};

_Static_assert(sizeof(struct php_walk) <= MANAGED_STATE, "it is kept there");

static __attribute__((noinline)) void php_begin(struct walker *c)
{
	struct php_walk *p = (struct php_walk *)c->m->state;

	c->m->begun = 1;
	p->ended = 0;
	p->generator = 0;
	p->opline = arch_php_opline(&c->w->saved);
	if (USER_READ(p->frame, c->proc->php.current))
		p->frame = 0;
}

/* ---- names ---- */

/* Reads the head of the string at ADDR to P->str. */
static inline int php_string(struct php_walk *p, __u64 addr)
{
	if (USER_READ(p->str, addr) || (p->str.type & 15) != STRING_TYPE)
		return -1;
	return p->str.len < 1u << 20 ? 0 : -1;
}

/* What tells a string from others: its hash, if it was computed. */
static inline __u64 php_key(const struct php_walk *p, __u64 addr)
{
	return p->str.hash ? p->str.hash : addr;
}

/* Reads what the function is known by; 0, or -1: it is none. */
static __always_inline int php_function(struct walker *c, struct php_walk *p)
{
	const struct dt_php *php = &c->proc->php;
	struct managed_walk *m = c->m;

	m->name.line = 0;
	m->name.pad = 0;
	m->name.key[1] = p->type;
	m->name.key[2] = m->name.key[3] = 0;
	if (p->type != PHP_INTERNAL) {
		p->file = MEMBER(__u64, p->body, php->function_file);
		m->name.line = MEMBER(__u32, p->body, php->function_line);
		if (php_string(p, p->file))
			return -1;
		p->file_len = p->str.len;
		m->name.key[3] = php_key(p, p->file);
	}
	if (p->name) {
		if (php_string(p, p->name))
			return -1;
		p->name_len = p->str.len;
		m->name.key[1] = php_key(p, p->name);
	}
	if (p->scope) {
		if (USER_READ(p->scope, p->scope + php->class_name) || php_string(p, p->scope))
			return -1;
		p->scope_len = p->str.len;
		m->name.key[2] = php_key(p, p->scope);
	}
	m->name.key[0] = (__u64)c->w->tgid << 32 | m->name.line;
	return 0;
}

static inline void php_put(struct managed_walk *m, const char *text, __u32 n)
{
	for (__u32 i = 0; i < n; i++)
		text_byte(m, (__u8)text[i]);
}

static __always_inline int php_read_name(struct walker *c, struct php_walk *p)
{
	struct managed_walk *m = c->m;

	text_begin(m);
	if (p->scope) {
		if (text_bytes(c, p->scope + STRING_VAL, p->scope_len))
			return -1;
		if (*(__u32 *)(p->body + 4) & PHP_STATIC)
			php_put(m, "::", 2);
		else
			php_put(m, "->", 2);
	}
	if (p->name) {
		if (text_bytes(c, p->name + STRING_VAL, p->name_len))
			return -1;
	} else if (p->type == PHP_EVAL) {
		php_put(m, "{eval}", 6);
	} else {
		php_put(m, "{main}", 6);
	}
	text_end(m);
	__builtin_memcpy(m->name.function, m->out, MANAGED_TEXT);
	m->name.file[0] = 0;
	if (p->type == PHP_INTERNAL)
		return 0;
	if (text_path(c, p->file + STRING_VAL, p->file_len))
		return -1;
	__builtin_memcpy(m->name.file, m->out, MANAGED_TEXT);
	return 0;
}

/* Returns the id of the function whose head was read. */
static __attribute__((noinline)) __u64 php_name(struct walker *c)
{
	struct php_walk *p = (struct php_walk *)c->m->state;
	struct managed_walk *m = c->m;
	__u64 id;

	if (php_function(c, p))
		return DT_NAME_UNKNOWN;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	if (php_read_name(c, p))
		return DT_NAME_UNKNOWN;
	return name_keep(m);
}

/* ---- lines ---- */

static inline int is_opline(struct walker *c, struct php_walk *p, __u64 opline)
{
	const struct dt_php *php = &c->proc->php;
	__u64 first = MEMBER(__u64, p->body, php->function_opcodes);
	__u64 n = MEMBER(__u32, p->body, php->function_last);

	return opline - first < n * php->op_size;
}

/* Returns the line that the function is at, or that where it begins, with DT_FRAME_FIRST_LINE. */
static __always_inline __u64 php_line(struct walker *c, struct php_walk *p)
{
	const struct dt_php *php = &c->proc->php;
	__u64 opline = p->opline;
	__u32 line;

	p->opline = 0;
	if (!is_opline(c, p, opline))
		opline = MEMBER(__u64, p->head, php->frame_opline);
	if (is_opline(c, p, opline) && !USER_READ(line, opline + php->op_line) && line)
		return line;
	return c->m->name.line | DT_FRAME_FIRST_LINE;
}

/* ---- frames ---- */

/* Reads the frame P->frame and its function: 1; 0: it has none; -1: it cannot be read. */
static __always_inline int php_read_frame(struct walker *c, struct php_walk *p)
{
	const struct dt_php *php = &c->proc->php;

	if (!p->frame || USER_READ(p->head, p->frame))
		return -1;
	p->info = MEMBER(__u32, p->head, php->frame_info);
	p->function = MEMBER(__u64, p->head, php->frame_function);
	if (!p->function)
		return 0;
	if (USER_READ(p->body, p->function) &&
		bpf_probe_read_user(p->body, PHP_HEAD, (void *)p->function))
		return -1;
	p->type = p->body[0];
	p->name = MEMBER(__u64, p->body, php->function_name);
	p->scope = MEMBER(__u64, p->body, php->function_scope);
	/* a fiber begins with a function in C that has no name */
	return p->type != PHP_INTERNAL || p->name;
}

/*
 * Goes on to the caller.  A generator that another one delegates to (yield from) is followed by
 * that one, not in the list of frames, up to the one that was resumed.
 */
static __always_inline void php_leave(struct walker *c, struct php_walk *p)
{
	const struct dt_php *php = &c->proc->php;
	__u64 next = MEMBER(__u64, p->head, php->frame_previous), child = 0;
	__u32 children = 0;

	if (p->info & PHP_CALL_GENERATOR && !p->generator) {
		p->generator = MEMBER(__u64, p->head, php->frame_value);
		p->previous = next;
	}
	if (p->generator) {
		next = p->previous;
		if (p->generator + php->generator_fake != next &&
			!USER_READ(children, p->generator + php->generator_children) &&
			children == 1 && !USER_READ(child, p->generator + php->generator_child) &&
			!USER_READ(p->frame, child + php->generator_frame)) {
			p->generator = child;
			return;
		}
		p->generator = 0;
	}
	p->ended = (p->info & PHP_CALL_TOP) != 0;
	p->frame = next;
}

/* Shows the next frame of the execute_ex() where the walk is; MANAGED_NOT: there is none. */
static __always_inline int php_show(struct walker *c)
{
	struct php_walk *p = (struct php_walk *)c->m->state;
	__u64 id, line = 0;
	int found = 0;

#pragma unroll
	for (int i = 0; i < PHP_UNNAMED; i++) {
		if (!found)
			found = php_read_frame(c, p);
		if (!found)
			p->frame = MEMBER(__u64, p->head, c->proc->php.frame_previous);
	}
	if (found < 0) {
		p->frame = 0;
		return MANAGED_NOT;
	}
	id = DT_NAME_UNKNOWN;
	if (p->type == PHP_INTERNAL || p->type == PHP_USER || p->type == PHP_EVAL)
		id = php_name(c);
	if (id != DT_NAME_UNKNOWN && p->type != PHP_INTERNAL)
		line = php_line(c, p);
	c->m->word = frame_word(id, DT_LANG_PHP,
			     p->type == PHP_INTERNAL ? DT_KIND_NATIVE : DT_KIND_INTERPRETED,
			     (__u32)line) |
		(line & DT_FRAME_FIRST_LINE);
	php_leave(c, p);
	return MANAGED_MORE;
}

/* ---- native frames ---- */

static inline int is_execute(const struct dt_php *php, __u64 ip)
{
	return ip - php->loop < php->loop_size || ip - php->cold < php->cold_size;
}

/* An answer of managed.h for the frame where C is. */
static __attribute__((noinline)) int php_frame(struct walker *c)
{
	struct php_walk *p = (struct php_walk *)c->m->state;
	const struct dt_php *php = &c->proc->php;
	int answer;

	if (!c->m->begun)
		php_begin(c);
	if (!is_execute(php, c->w->ip - !c->w->exact)) {
		if (!c->w->n)
			p->opline = 0;
		if (!is_jit(c, &p->jit))
			return MANAGED_NOT;
		c->w->ip = php->dispatch;
		c->w->exact = 1;
	}
	if (!p->ended) {
		answer = php_show(c);
		if (answer != MANAGED_NOT)
			return answer;
	}
	p->ended = 0;
	return MANAGED_SKIP;
}
