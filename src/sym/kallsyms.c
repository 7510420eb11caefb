// SPDX-License-Identifier: Apache-2.0
/*
 * Reads /proc/kallsyms on first use and answers which symbol covers an address.  Its lines are
 * "address type name[\t[module]]"; the core kernel comes first and in order (kernel/kallsyms.c),
 * then modules, ftrace trampolines, BPF programs and kprobe pages.  The core never changes; the
 * rest is read again when an address where code may live is not known, at most once in a growing
 * number of such look-ups.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/vec.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

#define CORE 0 /* index of "vmlinux" in mods */

enum { TRACING_UNKNOWN, TRACING_NO, TRACING_YES };

struct ksym {
	uint64_t addr;
	uint32_t name; /* offset into the table's names */
	uint16_t mod;
	uint8_t data : 1, global : 1;
	uint8_t tracing;
};

struct ktab {
	struct ktab *older; /* its names are still in use */
	HEAPVEC(struct ksym) syms;
	struct buf names;
	bool failed;
};

struct kmod {
	char *name;
	uint64_t start, end; /* end is 0 where /proc/modules doesn't tell */
};

struct ksyms {
	const char *symbols, *modules; /* paths */
	bool loaded;
	struct ktab core, *mod;
	HEAPVEC(struct kmod) mods;
	uint64_t etext, sinittext, einittext, end; /* 0 = not told */
	uint32_t *names;			   /* hash of the core's names: index + 1 */
	uint32_t nnames;
	uint64_t misses, reread_at, interval;
};

/* One line of the file. */
struct kline {
	uint64_t addr;
	char type;
	const char *name, *mod; /* mod is NULL for the core */
	size_t name_len;
};

struct ksyms *ksyms_new_from(const char *symbols, const char *modules)
{
	struct ksyms *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->symbols = symbols;
	k->modules = modules;
	k->interval = 1024;
	return k;
}

struct ksyms *ksyms_new(void)
{
	return ksyms_new_from("/proc/kallsyms", "/proc/modules");
}

static void ktab_free(struct ktab *t)
{
	heapvec_free(&t->syms);
	buf_free(&t->names);
}

void ksyms_free(struct ksyms *k)
{
	if (!k)
		return;
	ktab_free(&k->core);
	for (struct ktab *t = k->mod, *older; t; t = older) {
		older = t->older;
		ktab_free(t);
		free(t);
	}
	vec_for (m, &k->mods)
		free(m->name);
	heapvec_free(&k->mods);
	free(k->names);
	free(k);
}

/* The index of module NAME, made when it is new; -1 = no memory. */
static int mod_index(struct ksyms *k, const char *name)
{
	struct kmod mod = {0};

	for (uint32_t i = k->mods.len; i-- > 0;)
		if (!strcmp(k->mods.data[i].name, name))
			return (int)i;
	if (k->mods.len == UINT16_MAX)
		return -1;
	mod.name = strdup(name);
	if (!mod.name || heapvec_push(&k->mods, mod)) {
		free(mod.name);
		return -1;
	}
	return (int)k->mods.len - 1;
}

static void ktab_add(struct ksyms *k, struct ktab *t, const struct kline *l)
{
	int mod = l->mod ? mod_index(k, l->mod) : CORE;
	struct ksym *s = heapvec_add(&t->syms);

	if (mod < 0 || !s || t->names.len > UINT32_MAX - 4096) {
		t->failed = true;
		return;
	}
	*s = (struct ksym){
		.addr = l->addr,
		.name = (uint32_t)t->names.len,
		.mod = (uint16_t)mod,
		.global = l->type >= 'A' && l->type <= 'Z',
		.data = !strchr("tTwW", l->type),
	};
	buf_put(&t->names, l->name, l->name_len + 1);
	t->failed |= t->names.failed;
}

/* Take the line from P apart, which ends (with a NUL) at END. */
static bool parse_line(char *p, char *end, struct kline *l)
{
	uint64_t addr = 0;
	char *tab;

	for (; *p && *p != ' '; p++)
		addr = addr << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	if (end - p < 4)
		return false;
	l->addr = addr;
	l->type = p[1];
	l->name = p += 3;
	l->mod = NULL;
	tab = memchr(p, '\t', (size_t)(end - p));
	if (tab && tab[1] == '[' && end[-1] == ']') {
		*tab = end[-1] = '\0';
		l->mod = tab + 2;
		end = tab;
	}
	l->name_len = (size_t)(end - p);
	return true;
}

/*
 * True if the symbol is used.  The padding before a function has a name too; code never runs there.
 */
static bool is_wanted(const struct kline *l)
{
	if (!l->addr || l->type == 'a' || l->type == 'A')
		return false;
	return strncmp(l->name, "__pfx_", 6) && strncmp(l->name, "__cfi_", 6);
}

static void note_bounds(struct ksyms *k, const struct kline *l)
{
	if (l->name[0] != '_')
		return;
	if (!strcmp(l->name, "_etext"))
		k->etext = l->addr;
	else if (!strcmp(l->name, "_sinittext"))
		k->sinittext = l->addr;
	else if (!strcmp(l->name, "_einittext"))
		k->einittext = l->addr;
	else if (!strcmp(l->name, "_end"))
		k->end = l->addr;
}

static void take_line(struct ksyms *k, char *line, char *end, struct ktab *core, struct ktab *mod)
{
	struct kline l;

	if (!parse_line(line, end, &l) || !is_wanted(&l))
		return;
	if (l.mod) {
		ktab_add(k, mod, &l);
	} else if (core) {
		note_bounds(k, &l);
		ktab_add(k, core, &l);
	}
}

/* Read the file into CORE (unless NULL) and MOD. */
static int read_kallsyms(struct ksyms *k, struct ktab *core, struct ktab *mod)
{
	const size_t size = 64 * 1024;
	int fd = open(k->symbols, O_RDONLY | O_CLOEXEC);
	char *block = malloc(size), *line, *nl;
	size_t have = 0;
	ssize_t n = -1;

	while (fd >= 0 && block) {
		n = read(fd, block + have, size - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
		for (line = block; (nl = memchr(line, '\n', have - (size_t)(line - block)));
			line = nl + 1) {
			*nl = '\0';
			take_line(k, line, nl, core, mod);
		}
		have -= (size_t)(line - block);
		memmove(block, line, have);
		if (have == size)
			break;
	}
	free(block);
	if (fd >= 0)
		close(fd);
	return n == 0 && !mod->failed && !(core && core->failed) ? 0 : -EIO;
}

/* Orders by address, then as in the file: the kernel lists the best name first. */
static int by_addr(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->name < y->name ? -1 : 1;
}

static void ktab_sort(struct ktab *t)
{
	for (uint32_t i = 1; i < t->syms.len; i++) {
		if (t->syms.data[i].addr < t->syms.data[i - 1].addr) {
			qsort(t->syms.data, t->syms.len, sizeof(*t->syms.data), by_addr);
			return;
		}
	}
}

/*
 * Without CONFIG_KALLSYMS_ALL a few section marks are the only data symbols: they would lend
 * their name to all data after them.
 */
static void drop_marks(struct ksyms *k)
{
	uint32_t marks = 0, n = 0;
	struct ktab *t = &k->core;

	for (uint32_t i = 0; i < t->syms.len; i++)
		marks += t->syms.data[i].data;
	if (marks > t->syms.len / 50)
		return;
	for (uint32_t i = 0; i < t->syms.len; i++)
		if (!t->syms.data[i].data)
			t->syms.data[n++] = t->syms.data[i];
	t->syms.len = n;
	k->end = 0;
}

/*
 * Finds the addresses of modules: from /proc/modules ("name size refs deps state 0xaddress"), else
 * the lowest symbol of each.
 */
static void place_modules(struct ksyms *k)
{
	FILE *f = fopen(k->modules, "re");
	unsigned long long base;
	unsigned long size;
	char name[128], line[4096];

	for (uint32_t i = 0; i < k->mods.len; i++)
		k->mods.data[i].start = k->mods.data[i].end = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%127s %lu %*s %*s %*s %llx", name, &size, &base) != 3 || !base)
			continue;
		for (uint32_t i = CORE + 1; i < k->mods.len; i++) {
			if (!strcmp(k->mods.data[i].name, name)) {
				k->mods.data[i].start = base;
				k->mods.data[i].end = base + size;
			}
		}
	}
	if (f)
		fclose(f);
	if (k->core.syms.len)
		k->mods.data[CORE].start = k->core.syms.data[0].addr;
	for (uint32_t i = 0; k->mod && i < k->mod->syms.len; i++) {
		struct kmod *m = &k->mods.data[k->mod->syms.data[i].mod];

		if (!m->start)
			m->start = k->mod->syms.data[i].addr;
	}
}

/* Read the modules' part anew, and the core with it the first time. */
static void read_all(struct ksyms *k)
{
	struct ktab *mod = calloc(1, sizeof(*mod));

	if (!mod)
		return;
	if (!k->loaded && mod_index(k, "vmlinux") != CORE) {
		free(mod);
		return;
	}
	if (read_kallsyms(k, k->loaded ? NULL : &k->core, mod)) {
		ktab_free(mod);
		free(mod);
		if (!k->loaded) {
			ktab_free(&k->core);
			k->core = (struct ktab){0};
		}
		k->loaded = true;
		return;
	}
	ktab_sort(mod);
	mod->older = k->mod;
	if (k->mod) { /* look-ups no longer need it, only those who hold its names */
		heapvec_free(&k->mod->syms);
	}
	k->mod = mod;
	if (!k->loaded) {
		ktab_sort(&k->core);
		drop_marks(k);
	}
	k->loaded = true;
	place_modules(k);
}

/* Returns the first of the symbols with the highest address not above ADDR. */
static struct ksym *ktab_find(const struct ktab *t, uint64_t addr)
{
	uint32_t low = 0, high = t->syms.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->syms.data[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low--)
		return NULL;
	while (low && t->syms.data[low - 1].addr == t->syms.data[low].addr)
		low--;
	return &t->syms.data[low];
}

static bool in_core(const struct ksyms *k, uint64_t addr)
{
	if (!k->core.syms.len || addr < k->core.syms.data[0].addr)
		return false;
	if (addr < k->etext || addr < k->end)
		return true;
	return addr >= k->sinittext && addr < k->einittext;
}

/*
 * True if ADDR may be code: modules, BPF programs and trampolines lie where calls of the core reach
 * them.
 */
static bool may_be_code(const struct ksyms *k, uint64_t addr)
{
	uint64_t core = k->core.syms.len ? k->core.syms.data[0].addr : 0;
	uint64_t end = k->end > k->einittext ? k->end : k->einittext;

	if (addr >= core && addr < end)
		return false;
	return core && addr - core + (UINT64_C(1) << 31) < UINT64_C(1) << 32;
}

static struct ksym *find_in_mods(const struct ksyms *k, uint64_t addr)
{
	struct ksym *s = k->mod ? ktab_find(k->mod, addr) : NULL;
	const struct kmod *m;
	uint64_t room;

	if (!s)
		return NULL;
	m = &k->mods.data[s->mod];
	/* A module's data may lie elsewhere (struct module_memory, since 6.4). */
	if (s->addr >= m->start && s->addr < m->end)
		return addr < m->end ? s : NULL;
	/* The length of the code is not known: a bound against far-off addresses. */
	room = strcmp(m->name, "bpf") ? 1 << 20 : 1 << 14;
	return addr - s->addr < room ? s : NULL;
}

/* The module whose range holds ADDR though none of its symbols does, or NULL. */
static const struct kmod *module_at(const struct ksyms *k, uint64_t addr)
{
	for (uint32_t i = CORE + 1; i < k->mods.len; i++)
		if (k->mods.data[i].end && addr >= k->mods.data[i].start &&
			addr < k->mods.data[i].end)
			return &k->mods.data[i];
	return NULL;
}

static struct ksym *find_symbol(struct ksyms *k, uint64_t addr, struct ktab **tab)
{
	struct ksym *s;

	if (!k->loaded)
		read_all(k);
	if (in_core(k, addr)) {
		*tab = &k->core;
		return ktab_find(&k->core, addr);
	}
	if (!may_be_code(k, addr))
		return NULL;
	s = find_in_mods(k, addr);
	if (!s && ++k->misses >= k->reread_at) {
		k->reread_at = k->misses + k->interval;
		k->interval *= 2;
		read_all(k);
		s = find_in_mods(k, addr);
	}
	*tab = k->mod;
	return s;
}

void ksyms_find(struct ksyms *k, uint64_t addr, struct sym_info *out)
{
	struct ktab *tab;
	struct ksym *s = find_symbol(k, addr, &tab);
	const struct kmod *m = s ? &k->mods.data[s->mod] : module_at(k, addr);

	if (!m)
		return;
	out->object = m->name;
	out->object_start = m->start;
	if (s) {
		out->name = tab->names.data + s->name;
		out->start = s->addr;
	}
}

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

static void index_names(struct ksyms *k)
{
	const struct ktab *t = &k->core;
	uint32_t size = 1024;

	while (size < t->syms.len * 2)
		size *= 2;
	k->names = calloc(size, sizeof(*k->names));
	if (!k->names)
		return;
	k->nnames = size;
	for (uint32_t i = 0; i < t->syms.len; i++) {
		const char *name = t->names.data + t->syms.data[i].name;
		uint32_t h = hash(name), at;

		for (; (at = k->names[h & (size - 1)]); h++)
			if (!strcmp(t->names.data + t->syms.data[at - 1].name, name))
				break;
		/* of several functions of one name, the global one */
		if (!at || (t->syms.data[i].global && !t->syms.data[at - 1].global))
			k->names[h & (size - 1)] = i + 1;
	}
}

static uint64_t core_address(struct ksyms *k, const char *name)
{
	const struct ktab *t = &k->core;

	if (!k->names)
		index_names(k);
	if (!k->names)
		return 0;
	for (uint32_t h = hash(name), at; (at = k->names[h & (k->nnames - 1)]); h++)
		if (!strcmp(t->names.data + t->syms.data[at - 1].name, name))
			return t->syms.data[at - 1].addr;
	return 0;
}

uint64_t ksyms_address(struct ksyms *k, const char *name)
{
	uint64_t addr;

	if (!k->loaded)
		read_all(k);
	addr = core_address(k, name);
	for (uint32_t i = 0; !addr && k->mod && i < k->mod->syms.len; i++)
		if (!strcmp(k->mod->names.data + k->mod->syms.data[i].name, name))
			addr = k->mod->syms.data[i].addr;
	return addr;
}

/*
 * The first frames of a stack taken inside a probe, as seen on 6.1, 6.12 and 6.18:
 *   raw tracepoints  bpf_prog_*, bpf_trace_runN, mostly __bpf_trace_CLASS, and __traceiter_NAME
 *                    where the tracepoint has several users
 *   BPF_PROG_RUN     bpf_prog_*, __bpf_prog_test_run_raw_tp, bpf_prog_test_run_raw_tp
 *   fentry, fexit    bpf_prog_*, bpf_trampoline_*
 *   netfilter        __bpf_get_stack, __bpf_get_task_stack, bpf_prog_*, nf_hook_run_bpf
 *   kprobes, kretprobes, perf events, classic tracepoints
 *                    nothing, for the stack is that of saved registers; so perf's own functions
 *                    are not among these, and show when they are what is traced
 * The interpreter, loop callbacks and return trampolines that the unwinder doesn't translate can
 * add the others.
 */
static const char *const tracing_prefixes[] = {
	"bpf_trace_run",
	"__bpf_trace_",
	"__traceiter_",
	"bpf_get_stack",
	"__bpf_get_stack",
	"___bpf_prog_run",
	"__bpf_prog_run",
	"bpf_for_each_",
};

static const char *const tracing_names[] = {
	"__bpf_get_task_stack",
	"bpf_get_task_stack",
	"nf_hook_run_bpf",
	"bpf_loop",
	"__bpf_prog_test_run_raw_tp",
	"bpf_prog_test_run_raw_tp",
	"bpf_prog_run_pin_on_cpu",
	"arch_rethook_trampoline",
	"__kretprobe_trampoline",
	"return_to_handler",
};

static bool is_tracing_name(const char *object, const char *name)
{
	if (!strcmp(object, "bpf") || !strncmp(object, "__builtin__", 11))
		return true; /* BPF programs; ftrace and kprobe trampolines */
	if (strcmp(object, "vmlinux"))
		return false;
	for (size_t i = 0; i < sizeof(tracing_prefixes) / sizeof(*tracing_prefixes); i++)
		if (!strncmp(name, tracing_prefixes[i], strlen(tracing_prefixes[i])))
			return true;
	for (size_t i = 0; i < sizeof(tracing_names) / sizeof(*tracing_names); i++)
		if (!strcmp(name, tracing_names[i]))
			return true;
	return false;
}

bool ksyms_nameless(const struct ksyms *k)
{
	return k->loaded && !k->core.syms.len;
}

bool ksyms_is_tracing(struct ksyms *k, uint64_t addr)
{
	struct ktab *tab;
	struct ksym *s = find_symbol(k, addr, &tab);

	/* Code of no module without a name: a BPF program that isn't listed, or not yet. */
	if (!s)
		return may_be_code(k, addr) && !module_at(k, addr);
	if (s->tracing == TRACING_UNKNOWN) {
		const char *name = tab->names.data + s->name;

		s->tracing =
			is_tracing_name(k->mods.data[s->mod].name, name) ? TRACING_YES : TRACING_NO;
	}
	return s->tracing == TRACING_YES;
}
