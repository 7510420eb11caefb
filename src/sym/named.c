// SPDX-License-Identifier: Apache-2.0
/*
 * Finds kernel symbols by name in /proc/kallsyms: `name in D.  Programs name few, so nothing is
 * indexed.  Per-CPU variables are among them: before 6.15 they are absolute symbols, offsets in
 * each CPU's area.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sym/sym.h"
#include "sym/sym_priv.h"

/* One line, "address type name[\t[module]]"; false when it is something else. */
static bool split_line(char *line, uint64_t *addr, char *type, char **name, char **module)
{
	char *p;

	*addr = strtoull(line, &p, 16);
	if (*p++ != ' ' || !*p || p[1] != ' ')
		return false;
	*type = *p;
	*name = p + 2;
	*module = NULL;
	p = strchr(*name, '\t');
	if (p) {
		*p = '\0';
		*module = p + 2; /* after the bracket */
		(*module)[strcspn(*module, "]")] = '\0';
	}
	return true;
}

struct wanted {
	const char *module, *name;
	struct sym_named *out;
	bool found, in_core;
	uint64_t next; /* the lowest address above the symbol's */
};

static void take_line(struct wanted *w, char *line)
{
	uint64_t addr;
	char type, *name, *module;

	if (!split_line(line, &addr, &type, &name, &module) || strcmp(name, w->name))
		return;
	if (*w->module && strcmp(w->module, module ? module : "vmlinux"))
		return;
	/* the core kernel's comes first, a global one before a local one of the same name */
	if (w->found && (w->in_core || module || islower((unsigned char)type)))
		return;
	w->found = true;
	w->in_core = !module;
	w->out->addr = addr;
	w->out->is_func = strchr("tTwW", type) != NULL;
}

static void find_next(struct wanted *w, const char *line)
{
	uint64_t addr = strtoull(line, NULL, 16);

	if (addr > w->out->addr && (!w->next || addr < w->next))
		w->next = addr;
}

bool sym_kernel_named(const char *module, const char *name, struct sym_named *out)
{
	struct wanted w = {module, name, out, false, false, 0};
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	char *text = fd < 0 ? NULL : sym_read_all(fd, &len), *copy, *save, *line;

	memset(out, 0, sizeof(*out));
	if (fd >= 0)
		close(fd);
	copy = text ? strdup(text) : NULL;
	for (line = copy ? strtok_r(copy, "\n", &save) : NULL; line;
		line = strtok_r(NULL, "\n", &save))
		take_line(&w, line);
	for (line = text; w.found && line && *line; line = strchr(line, '\n') + 1) {
		find_next(&w, line);
		if (!strchr(line, '\n'))
			break;
	}
	free(copy);
	free(text);
	out->size = w.next ? w.next - out->addr : 0;
	return w.found && (out->addr || !out->is_func);
}
