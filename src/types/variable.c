// SPDX-License-Identifier: Apache-2.0
/* Finds the types of the kernel's variables, from BTF or from our own table. */
#include <stdio.h>
#include <string.h>

#include "types/table.h"
#include "types/types.h"

static const struct {
	const char *name, *spelled;
} known[] = {
#define KERNEL_VAR(name, spelled) {#name, spelled},
#include "types/kernel_vars.def"
#undef KERNEL_VAR
};

static bool in_percpu_section(struct type_source *src, uint32_t id)
{
	uint32_t section = btf_find(src->btf, BTF_CLASS_SECTION, ".data..percpu");
	const struct btf_type *bt = btf_by_id(src->btf, section);
	const struct btf_var_secinfo *vars;

	if (!bt)
		return false;
	vars = btf_trailer(bt);
	for (uint32_t i = 0; i < btf_vlen(bt); i++) {
		if (vars[i].type == id)
			return true;
	}
	return false;
}

/* ---- the table's spelling of types: [struct|union|enum] NAME {*} ["[" N "]"] ---- */

static const struct type *named(struct types *t, const char *words)
{
	static const struct {
		const char *keyword;
		enum btf_class klass;
	} tags[] = {
		{"struct ", BTF_CLASS_STRUCT},
		{"union ", BTF_CLASS_UNION},
		{"enum ", BTF_CLASS_ENUM},
	};
	const struct type *type;

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t len = strlen(tags[i].keyword);

		if (!strncmp(words, tags[i].keyword, len))
			return kernel_type(t, tags[i].klass, words + len);
	}
	type = own_type(t, words);
	return type ? type : kernel_type(t, BTF_CLASS_ORDINARY, words);
}

static const struct type *spelled_type(struct types *t, const char *spelled)
{
	size_t len = strcspn(spelled, "*[");
	const char *rest = spelled + len;
	const struct type *type;
	char words[64];
	unsigned n = 0;

	while (len && spelled[len - 1] == ' ')
		len--;
	if (len >= sizeof(words))
		return NULL;
	memcpy(words, spelled, len);
	words[len] = '\0';
	type = named(t, words);
	for (; type && *rest == '*'; rest++)
		type = types_ptr(t, type);
	if (type && *rest == '[') {
		sscanf(rest, "[%u]", &n);
		type = types_array(t, type, n);
	}
	return type;
}

static const struct type *variable_of(struct type_source *src, const char *name, bool *percpu)
{
	uint32_t id = src ? btf_find(src->btf, BTF_CLASS_VAR, name) : 0;

	*percpu = id && in_percpu_section(src, id);
	return id ? source_type(src, btf_by_id(src->btf, id)->type) : NULL;
}

const struct type *types_variable(struct types *t, const char *name, bool *percpu)
{
	const struct type *type = variable_of(types_kernel(t), name, percpu);

	for (size_t i = 0; !type && i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(known[i].name, name))
			return spelled_type(t, known[i].spelled);
	}
	return type;
}

const struct type *types_variable_in(
	struct types *t, const char *module, const char *name, bool *percpu)
{
	bool unknown;
	struct type_source *src = source_named(t, module, &unknown);

	if (!*module || !strcmp(module, "vmlinux"))
		return types_variable(t, name, percpu);
	return variable_of(src, name, percpu);
}
