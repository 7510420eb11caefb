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

#include "base/transfer.h"
#include "confine/privilege.h"
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

/* Takes the next line of what is left at *TEXT; NULL: there is none. */
static const char *next_line(const char **text, char *line, size_t size)
{
	const char *from = *text, *end = strchr(from, '\n');
	size_t len = end ? (size_t)(end - from) : strlen(from);

	if (!len)
		return NULL;
	*text = end ? end + 1 : from + len;
	len = len < size ? len : size - 1;
	memcpy(line, from, len);
	line[len] = '\0';
	return line;
}

#define LINE_ROOM 1024 /* a name has at most KSYM_NAME_LEN bytes, 512 */

static void find_all(struct wanted *w, uint32_t n, const char *text)
{
	char line[LINE_ROOM], copy[LINE_ROOM];
	bool any = false;

	for (const char *p = text; next_line(&p, line, sizeof(line));)
		for (uint32_t i = 0; i < n; i++)
			if (strstr(line, w[i].name))
				take_line(&w[i], strcpy(copy, line));
	for (uint32_t i = 0; i < n; i++)
		any = any || w[i].found;
	for (const char *p = text; any && next_line(&p, line, sizeof(line));)
		for (uint32_t i = 0; i < n; i++)
			if (w[i].found)
				find_next(&w[i], line);
	for (uint32_t i = 0; i < n; i++)
		w[i].out->size = w[i].next ? w[i].next - w[i].out->addr : 0;
}

/*
 * True if every address reads 0: without the right to see them they all do.  A line in the middle
 * of the file is code or data of the kernel; the first ones may be per-CPU variables at 0.
 */
static bool is_hidden(const char *text, size_t len)
{
	static const char zero[] = "0000000000000000 ";
	const char *line = memchr(text + len / 2, '\n', len - len / 2);

	return line && !strncmp(line + 1, zero, sizeof(zero) - 1);
}

static char *read_kallsyms(size_t *len)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : sym_read_all(fd, len);

	if (fd >= 0)
		close(fd);
	return text;
}

enum listing { LISTING_NONE, LISTING_HIDDEN, LISTING_SHOWN };

/* Judges the file's beginning, 300 symbols, of which few are per-CPU variables at 0. */
static enum listing look_at_listing(void)
{
	static const char zero[] = "0000000000000000 ";
	char text[16384];
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : transfer_read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return LISTING_NONE;
	text[len] = '\0';
	for (const char *line = text; *line; line += *line != '\0') {
		if (strlen(line) >= sizeof(zero) - 1 && strncmp(line, zero, sizeof(zero) - 1))
			return LISTING_SHOWN;
		line += strcspn(line, "\n");
	}
	return LISTING_HIDDEN;
}

const char *sym_kernel_hides(void)
{
	enum listing l = look_at_listing();

	if (l == LISTING_SHOWN)
		return NULL;
	if (l == LISTING_NONE)
		return "/proc/kallsyms lists nothing (CONFIG_KALLSYMS)";
	return privilege_lacking(PRIVILEGE_SYMBOLS)
		? "the kernel hides its addresses from processes without CAP_SYSLOG"
		: "the kernel hides its addresses (kernel.kptr_restrict is 2)";
}

#define NAMED_MOST 8

void sym_kernel_all_named(
	const char *module, const char *const *names, uint32_t n, struct sym_named *out)
{
	struct wanted w[NAMED_MOST];
	size_t len = 0;
	char *text = read_kallsyms(&len);

	memset(out, 0, n * sizeof(*out));
	if (text && is_hidden(text, len)) {
		free(text);
		return;
	}
	for (uint32_t from = 0; text && from < n; from += NAMED_MOST) {
		uint32_t some = n - from < NAMED_MOST ? n - from : NAMED_MOST;

		for (uint32_t i = 0; i < some; i++)
			w[i] = (struct wanted){
				module, names[from + i], &out[from + i], false, false, 0};
		find_all(w, some, text);
		for (uint32_t i = 0; i < some; i++)
			out[from + i].found = w[i].found && (w[i].out->addr || !w[i].out->is_func);
	}
	free(text);
}

bool sym_kernel_named(const char *module, const char *name, struct sym_named *out)
{
	sym_kernel_all_named(module, &name, 1, out);
	return out->found;
}
