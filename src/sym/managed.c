// SPDX-License-Identifier: Apache-2.0
/* Names the frames of managed languages, from the map that the walkers of jstack() fill. */
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "abi/managed.h"
#include "base/intmap.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

struct mnames {
	int fd;		     /* of DT_MAP_NAMES; negative: there is none */
	struct intmap names; /* struct dt_name by id; NULL: the map does not have it */
};

/* The object and, for frames without a name, the word for a function of each language. */
static const struct {
	const char *object, *unknown;
} languages[DT_LANG_MAX] = {
	[DT_LANG_NONE] = {"", ""},
	[DT_LANG_PYTHON] = {"python", "<unknown python function>"},
	[DT_LANG_V8] = {"node", "<unknown js function>"},
	[DT_LANG_JAVA] = {"java", "<unknown java method>"},
	[DT_LANG_PHP] = {"php", "<unknown php function>"},
	[DT_LANG_RUBY] = {"ruby", "<unknown ruby method>"},
};

const char *sym_managed_kind(unsigned kind)
{
	static const char *const words[DT_KIND_MAX] = {
		[DT_KIND_INTERPRETED] = "interpreted",
		[DT_KIND_BASELINE] = "baseline",
		[DT_KIND_OPTIMISED] = "optimised",
		[DT_KIND_INLINED] = "inlined",
		[DT_KIND_NATIVE] = "native",
	};

	return kind < DT_KIND_MAX ? words[kind] : "";
}

const char *sym_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct mnames *mnames_new(void)
{
	struct mnames *m = calloc(1, sizeof(*m));

	if (m)
		m->fd = -1;
	return m;
}

void mnames_free(struct mnames *m)
{
	if (!m)
		return;
	intmap_for (s, &m->names)
		free(s->ptr);
	intmap_free(&m->names);
	free(m);
}

void mnames_open(struct mnames *m, int fd)
{
	m->fd = fd;
}

/* Names are never changed, so one that was read is kept. */
static const struct dt_name *find_name(struct mnames *m, uint64_t id)
{
	struct dt_name *n = intmap_get_ptr(&m->names, id);

	if (n || m->fd < 0 || id == DT_NAME_UNKNOWN)
		return n;
	n = malloc(sizeof(*n));
	if (!n)
		return NULL;
	if (bpf_map_lookup_elem(m->fd, &id, n) || intmap_put_ptr(&m->names, id, n)) {
		free(n);
		return NULL;
	}
	n->function[sizeof(n->function) - 1] = n->file[sizeof(n->file) - 1] = '\0';
	return n;
}

void mnames_find(struct mnames *m, uint64_t word, struct sym_info *out)
{
	uint32_t lang = DT_FRAME_LANG(word);
	const struct dt_name *n = find_name(m, DT_FRAME_ID(word));

	out->managed = true;
	out->start = word; /* there is no offset */
	out->line = DT_FRAME_LINE(word);
	out->first_line = word & DT_FRAME_FIRST_LINE;
	out->kind = DT_FRAME_KIND(word);
	out->file = n ? n->file : "";
	if (lang >= DT_LANG_MAX)
		return;
	out->object = languages[lang].object;
	out->name = n && *n->function ? n->function : languages[lang].unknown;
}
