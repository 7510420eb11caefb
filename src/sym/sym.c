// SPDX-License-Identifier: Apache-2.0
/* Answers symbol look-ups for the kernel and for processes. */
#include "sym/sym.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/managed.h"
#include "base/heapvec.h"
#include "sym/sym_priv.h"

#define READ_AT_ONCE 16384 /* bytes */

struct symtab {
	struct ksyms *kernel;
	struct usyms *user;
	struct demangler *demangler;
	struct mnames *managed;
};

struct symtab *symtab_new(void)
{
	struct symtab *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->kernel = ksyms_new();
	s->user = usyms_new();
	s->demangler = demangler_new();
	s->managed = mnames_new();
	if (!s->kernel || !s->user || !s->demangler || !s->managed) {
		symtab_free(s);
		return NULL;
	}
	return s;
}

void symtab_free(struct symtab *s)
{
	if (!s)
		return;
	ksyms_free(s->kernel);
	usyms_free(s->user);
	demangler_free(s->demangler);
	mnames_free(s->managed);
	free(s);
}

void sym_managed_open(struct symtab *s, int fd)
{
	mnames_open(s->managed, fd);
}

static void clear(struct sym_info *out)
{
	*out = (struct sym_info){.object = "", .name = "", .file = ""};
}

void sym_kernel(struct symtab *s, uint64_t addr, struct sym_info *out)
{
	clear(out);
	ksyms_find(s->kernel, addr, out);
}

void sym_user(struct symtab *s, pid_t pid, uint64_t addr, struct sym_info *out)
{
	clear(out);
	if (addr & DT_FRAME_MANAGED)
		mnames_find(s->managed, addr, out);
	else if (pid > 0)
		usyms_find(s->user, pid, addr, out);
}

void sym_user_remember(struct symtab *s, pid_t pid)
{
	if (pid > 0)
		usyms_remember(s->user, pid);
}

uint32_t sym_user_lines(struct symtab *s, pid_t pid, uint64_t addr, const struct sym_line **lines)
{
	*lines = NULL;
	return pid > 0 && !(addr & DT_FRAME_MANAGED) ? usyms_lines(s->user, pid, addr, lines) : 0;
}

bool sym_user_is_sigreturn(struct symtab *s, pid_t pid, uint64_t addr)
{
	return pid > 0 && !(addr & DT_FRAME_MANAGED) && usyms_is_sigreturn(s->user, pid, addr);
}

const char *sym_demangled(struct symtab *s, const char *name)
{
	return demangler_name(s->demangler, name);
}

void sym_user_watch(struct symtab *s)
{
	usyms_watch(s->user);
}

uint64_t sym_kernel_address(struct symtab *s, const char *name)
{
	return ksyms_address(s->kernel, name);
}

bool sym_user_nameless(const struct symtab *s)
{
	return usyms_nameless(s->user);
}

bool sym_user_lacks_room(const struct symtab *s)
{
	return usyms_lack_room(s->user);
}

bool sym_kernel_nameless(const struct symtab *s)
{
	return ksyms_nameless(s->kernel);
}

int sym_kernel_is_tracing(struct symtab *s, uint64_t addr)
{
	return ksyms_is_tracing(s->kernel, addr);
}

char *sym_read_all(int fd, size_t *len)
{
	HEAPVEC(char) text = {0};
	ssize_t n;

	while (!heapvec_reserve(&text, (uint64_t)text.len + READ_AT_ONCE)) {
		/* one byte stays free for the NUL */
		n = read(fd, text.data + text.len, text.cap - 1 - text.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		if (n == 0) {
			text.data[text.len] = '\0';
			*len = text.len;
			return text.data;
		}
		text.len += (uint32_t)n;
	}
	heapvec_free(&text);
	return NULL;
}
