// SPDX-License-Identifier: Apache-2.0
/*
 * USDT notes: those of this program, which has a site for each form, and the text of arguments.
 * @ref providers 16.3 note base operands
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "arch/arch.h"
#include "usdt/notes.h"
#include "usdt/args.h"

/* ---- argument texts ---- */

static bool symbols(void *arg, const char *name, size_t len, uint64_t *addr)
{
	if (len == 7 && !memcmp(name, "counter", len))
		*addr = 0x4010;
	else if (len == 8 && !memcmp(name, "t.1234.x", len))
		*addr = 0x5000;
	else
		return false;
	return true;
}

#define NO DT_USDT_NO_REG

/* Texts of one argument and their operands. */
static const struct {
	const char *text;
	struct dt_usdt_operand op;
} forms[] = {
	/* constants */
	{"4@$5", {DT_USDT_CONST, 4, NO, NO, 0, 0, {0}, 5}},
	{"-4@$-1", {DT_USDT_CONST, -4, NO, NO, 0, 0, {0}, -1}},
	{"8@$0xff", {DT_USDT_CONST, 8, NO, NO, 0, 0, {0}, 255}},
	{"8@$-0x10", {DT_USDT_CONST, 8, NO, NO, 0, 0, {0}, -16}},
	{"8@$010", {DT_USDT_CONST, 8, NO, NO, 0, 0, {0}, 8}},
	{"8@$18446744073709551615", {DT_USDT_CONST, 8, NO, NO, 0, 0, {0}, -1}},
	{"-8@$-9223372036854775808", {DT_USDT_CONST, -8, NO, NO, 0, 0, {0}, INT64_MIN}},
	{"1@$2+3-1", {DT_USDT_CONST, 1, NO, NO, 0, 0, {0}, 4}},
	{"8@$counter", {DT_USDT_CONST, 8, NO, NO, 0, 1, {0}, 0x4010}},
	{"8@$counter+16", {DT_USDT_CONST, 8, NO, NO, 0, 1, {0}, 0x4020}},
	/* registers: every name's offset in struct pt_regs */
	{"8@%rax", {DT_USDT_REG, 8, 80, NO, 0, 0, {0}, 0}},
	{"-4@%eax", {DT_USDT_REG, -4, 80, NO, 0, 0, {0}, 0}},
	{"2@%ax", {DT_USDT_REG, 2, 80, NO, 0, 0, {0}, 0}},
	{"-1@%al", {DT_USDT_REG, -1, 80, NO, 0, 0, {0}, 0}},
	{"1@%ah", {DT_USDT_REG, 1, 80, NO, 8, 0, {0}, 0}},
	{"8@%rbx", {DT_USDT_REG, 8, 40, NO, 0, 0, {0}, 0}},
	{"1@%bl", {DT_USDT_REG, 1, 40, NO, 0, 0, {0}, 0}},
	{"1@%bh", {DT_USDT_REG, 1, 40, NO, 8, 0, {0}, 0}},
	{"8@%rcx", {DT_USDT_REG, 8, 88, NO, 0, 0, {0}, 0}},
	{"1@%ch", {DT_USDT_REG, 1, 88, NO, 8, 0, {0}, 0}},
	{"8@%rdx", {DT_USDT_REG, 8, 96, NO, 0, 0, {0}, 0}},
	{"1@%dh", {DT_USDT_REG, 1, 96, NO, 8, 0, {0}, 0}},
	{"8@%rsi", {DT_USDT_REG, 8, 104, NO, 0, 0, {0}, 0}},
	{"1@%sil", {DT_USDT_REG, 1, 104, NO, 0, 0, {0}, 0}},
	{"8@%rdi", {DT_USDT_REG, 8, 112, NO, 0, 0, {0}, 0}},
	{"1@%dil", {DT_USDT_REG, 1, 112, NO, 0, 0, {0}, 0}},
	{"8@%rbp", {DT_USDT_REG, 8, 32, NO, 0, 0, {0}, 0}},
	{"1@%bpl", {DT_USDT_REG, 1, 32, NO, 0, 0, {0}, 0}},
	{"8@%rsp", {DT_USDT_REG, 8, 152, NO, 0, 0, {0}, 0}},
	{"2@%sp", {DT_USDT_REG, 2, 152, NO, 0, 0, {0}, 0}},
	{"8@%r8", {DT_USDT_REG, 8, 72, NO, 0, 0, {0}, 0}},
	{"4@%r8d", {DT_USDT_REG, 4, 72, NO, 0, 0, {0}, 0}},
	{"2@%r8w", {DT_USDT_REG, 2, 72, NO, 0, 0, {0}, 0}},
	{"1@%r8b", {DT_USDT_REG, 1, 72, NO, 0, 0, {0}, 0}},
	{"8@%r9", {DT_USDT_REG, 8, 64, NO, 0, 0, {0}, 0}},
	{"8@%r10", {DT_USDT_REG, 8, 56, NO, 0, 0, {0}, 0}},
	{"4@%r11d", {DT_USDT_REG, 4, 48, NO, 0, 0, {0}, 0}},
	{"8@%r12", {DT_USDT_REG, 8, 24, NO, 0, 0, {0}, 0}},
	{"8@%r13", {DT_USDT_REG, 8, 16, NO, 0, 0, {0}, 0}},
	{"2@%r14w", {DT_USDT_REG, 2, 8, NO, 0, 0, {0}, 0}},
	{"1@%r15b", {DT_USDT_REG, 1, 0, NO, 0, 0, {0}, 0}},
	{"8@%rip", {DT_USDT_REG, 8, 128, NO, 0, 0, {0}, 0}},
	/* the register has less than the size says; it has more */
	{"-8@%eax", {DT_USDT_REG, -4, 80, NO, 0, 0, {0}, 0}},
	{"2@%rax", {DT_USDT_REG, 2, 80, NO, 0, 0, {0}, 0}},
	/* memory */
	{"8@(%rdi)", {DT_USDT_MEMORY, 8, 112, NO, 0, 0, {0}, 0}},
	{"-4@-20(%rbp)", {DT_USDT_MEMORY, -4, 32, NO, 0, 0, {0}, -20}},
	{"8@0x18(%rsp)", {DT_USDT_MEMORY, 8, 152, NO, 0, 0, {0}, 24}},
	{"8@8+16(%rsp)", {DT_USDT_MEMORY, 8, 152, NO, 0, 0, {0}, 24}},
	{"8@(%rax,%rbx)", {DT_USDT_MEMORY, 8, 80, 40, 0, 0, {0}, 0}},
	{"8@(%rax,%rbx,1)", {DT_USDT_MEMORY, 8, 80, 40, 0, 0, {0}, 0}},
	{"4@-8(%rax,%r9,4)", {DT_USDT_MEMORY, 4, 80, 64, 2, 0, {0}, -8}},
	{"4@( %rax , %rbx, 8 )", {DT_USDT_MEMORY, 4, 80, 40, 3, 0, {0}, 0}},
	{"4@(,%rbx,2)", {DT_USDT_MEMORY, 4, NO, 40, 1, 0, {0}, 0}},
	{"4@64(,%rbx,2)", {DT_USDT_MEMORY, 4, NO, 40, 1, 0, {0}, 64}},
	{"4@counter(%rip)", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x4010}},
	{"4@counter+4(%rip)", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x4014}},
	{"4@4+counter(%rip)", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x4014}},
	{"4@-4+counter(%rip)", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x400c}},
	{"4@t.1234.x(%rip)", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x5000}},
	{"4@counter", {DT_USDT_MEMORY, 4, NO, NO, 0, 1, {0}, 0x4010}},
	{"4@counter(,%rax,4)", {DT_USDT_MEMORY, 4, NO, 80, 2, 1, {0}, 0x4010}},
	{"4@0x1000", {DT_USDT_MEMORY, 4, NO, NO, 0, 0, {0}, 0x1000}},
	/* without a size */
	{"%rdi", {DT_USDT_REG, 8, 112, NO, 0, 0, {0}, 0}},
	{"%edi", {DT_USDT_REG, 4, 112, NO, 0, 0, {0}, 0}},
	{"16(%rsp)", {DT_USDT_MEMORY, 8, 152, NO, 0, 0, {0}, 16}},
	{"$7", {DT_USDT_CONST, 8, NO, NO, 0, 0, {0}, 7}},
};

static void check_form(const char *text, const struct dt_usdt_operand *want)
{
	struct dt_usdt_operand got[DT_USDT_NARGS];
	int n = usdt_parse(text, symbols, NULL, got);

	if (n != 1 || memcmp(&got[0], want, sizeof(*want)))
		printf("form %s: kind %d size %d base %d index %d shift %d moves %d %lld\n", text,
			got[0].kind, got[0].size, got[0].base, got[0].index, got[0].shift,
			got[0].moves, (long long)got[0].number);
	CHECK_INT(n, 1);
	CHECK(!memcmp(&got[0], want, sizeof(*want)));
	CHECK_INT(got[1].kind, DT_USDT_NONE);
}

/* Texts that are refused, and the reasons. */
static const struct {
	const char *text, *why;
} unknown[] = {
	{"8f@%xmm0", "it is a floating-point number"},
	{"-8f@%xmm15", "it is a floating-point number"},
	{"4f@-8(%rbp)", "it is a floating-point number"},
	{"8@%xmm1", "it is a floating-point number"},
	{"8@%fs:16", "it is thread-local"},
	{"8@%fs:x@tpoff", "it is thread-local"},
	{"8@nowhere(%rip)", "its form is not known"},
	{"8@counter@GOTPCREL(%rip)", "its form is not known"},
	{"8@24(%rip)", "its form is not known"},
	{"3@%eax", "its form is not known"},
	{"16@%rax", "its form is not known"},
	{"260@%rax", "its form is not known"},
	{"8@%rzx", "its form is not known"},
	{"8@%r7", "its form is not known"},
	{"8@%r16", "its form is not known"},
	{"8@%r08", "its form is not known"},
	{"8@%r8q", "its form is not known"},
	{"8@%spl8", "its form is not known"},
	{"8@%sh", "its form is not known"},
	{"8@(%eax)", "its form is not known"},
	{"8@(%rax,%rsp)", "its form is not known"},
	{"8@(%rax,%rbx,3)", "its form is not known"},
	{"8@(%rax,%rbx,16)", "its form is not known"},
	{"8@()", "its form is not known"},
	{"8@(%rax)x", "its form is not known"},
	{"8@$", "its form is not known"},
	{"8@$5x", "its form is not known"},
	{"8@$99999999999999999999", "its form is not known"},
	{"8@-counter(%rip)", "its form is not known"},
	{"8@counter+counter(%rip)", "its form is not known"},
	{"8@4+(%rax)", "its form is not known"},
	{"8@QWORD PTR [rbp-8]", "its form is not known"},
	{"8@", "its form is not known"},
	{"@", "its form is not known"},
	{"8@%", "its form is not known"},
};

static void check_unknown(const char *text, const char *why)
{
	struct dt_usdt_operand got[DT_USDT_NARGS];
	int n = usdt_parse(text, symbols, NULL, got);

	if (n != 1 || got[0].kind != DT_USDT_UNKNOWN)
		printf("form %s: %d, kind %d\n", text, n, got[0].kind);
	CHECK_INT(n, 1);
	CHECK_INT(got[0].kind, DT_USDT_UNKNOWN);
	CHECK_STR(usdt_why_unknown(text, 0, &got[0]), why);
}

static void check_lists(void)
{
	struct dt_usdt_operand op[DT_USDT_NARGS];
	const char *start, *text = " -4@%edi\t8@( %rsi , %rax )  8f@%xmm0 1@$1 ";

	CHECK_INT(usdt_parse(NULL, NULL, NULL, op), 0);
	CHECK_INT(op[0].kind, DT_USDT_NONE);
	CHECK_INT(usdt_parse("", NULL, NULL, op), 0);
	CHECK_INT(usdt_parse("  \t", NULL, NULL, op), 0);

	/* one that isn't understood leaves the others in their places */
	CHECK_INT(usdt_parse(text, NULL, NULL, op), 4);
	CHECK_INT(op[0].base, DT_REG_RDI);
	CHECK_INT(op[1].index, DT_REG_RAX);
	CHECK_INT(op[2].kind, DT_USDT_UNKNOWN);
	CHECK_INT(op[3].number, 1);
	CHECK(usdt_why_unknown(text, 3, &op[3]) == NULL);
	CHECK_INT(usdt_arg_text(text, 1, &start), 17);
	CHECK(!strncmp(start, "8@( %rsi , %rax )", 17));
	CHECK_INT(usdt_arg_text(text, 4, &start), 0);

	/* so does one with blanks, where the others have sizes */
	CHECK_INT(usdt_parse("8@QWORD PTR [rbp - 8] 4@%esi", NULL, NULL, op), 2);
	CHECK_INT(op[0].kind, DT_USDT_UNKNOWN);
	CHECK_INT(op[1].base, DT_REG_RSI);
	/* without sizes each word is one */
	CHECK_INT(usdt_parse("%rdi %rsi 8(%rsp)", NULL, NULL, op), 3);
	CHECK_INT(op[2].number, 8);
	CHECK_INT(usdt_parse("%rdi (%rsi", NULL, NULL, op), -EINVAL);
	CHECK_INT(op[0].kind, DT_USDT_UNKNOWN);
	CHECK_INT(op[11].kind, DT_USDT_UNKNOWN);
	CHECK_STR(usdt_why_unknown("(%rsi", 0, &op[0]), "its text is malformed");

	/* more than there is room for */
	CHECK_INT(usdt_parse("1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10 1@$11 1@$12 1@$13",
			  NULL, NULL, op),
		13);
	CHECK_INT(op[11].number, 12);
}

/* ---- notes ---- */

unsigned short notes_semaphore __attribute__((section(".probes")));
int notes_value = 7;

#define QUAD(x) ".8byte " x "\n\t"
#define NOTE(label, base, semaphore, strings)                                                      \
	".pushsection .note.stapsdt,\"\",\"note\"\n\t"                                             \
	".balign 4\n\t.4byte 992f-991f, 994f-993f, 3\n"                                            \
	"991:\t.asciz \"stapsdt\"\n992:\t.balign 4\n993:\t" QUAD(label) QUAD(base) QUAD(semaphore) \
		strings                                                                            \
		"\n994:\t.balign 4\n\t.popsection\n"                                               \
		".ifndef _.stapsdt.base\n\t.pushsection .stapsdt.base,\"aG\",\"progbits\","        \
		".stapsdt.base,comdat\n\t.weak _.stapsdt.base\n\t.hidden _.stapsdt.base\n"         \
		"_.stapsdt.base:\t.space 1\n\t.size _.stapsdt.base, 1\n\t.popsection\n\t.endif\n"

#define STRINGS(p, n, a) ".asciz \"" p "\"\n\t.asciz \"" n "\"\n\t.asciz \"" a "\""

__asm__(".text\n"
	".globl notes_plain, notes_sites\n"
	"notes_sites:\n"
	"notes_plain: nop\n"
	"notes_with: nop\n"
	".previous\n"
	/* one as compilers write it */
	NOTE("notes_plain", "_.stapsdt.base", "0", STRINGS("test", "plain", ""))
	/* with a semaphore and arguments */
	NOTE("notes_with", "_.stapsdt.base", "notes_semaphore",
		STRINGS("test", "with__all", "-4@notes_value(%rip) 8@%rdi"))
	/* written before the file was moved by 0x1000 */
	NOTE("notes_plain - 0x1000", "_.stapsdt.base - 0x1000", "0", STRINGS("test", "moved", ""))
	/* damaged: a site that is data, a semaphore that is code, no name, no end, no strings */
	NOTE("notes_value", "_.stapsdt.base", "0", STRINGS("bad", "data", "")) NOTE(
		"notes_plain", "_.stapsdt.base", "notes_plain", STRINGS("bad", "semaphore", ""))
		NOTE("notes_plain", "_.stapsdt.base", "0", STRINGS("bad", "", "")) NOTE(
			"notes_plain", "_.stapsdt.base", "0", ".asciz \"bad\"\n\t.ascii \"noend\"")
			NOTE("notes_plain", "_.stapsdt.base", "0", "")
	/* the last string may be missing */
	NOTE("notes_plain", "_.stapsdt.base", "0", ".asciz \"test\"\n\t.asciz \"short\""));

extern char notes_sites[];

struct seen {
	unsigned n;
	struct sdt_note notes[8];
	char text[8][80];
};

static int keep(void *arg, const struct sdt_note *note)
{
	struct seen *s = arg;

	if (s->n == 8)
		return 1;
	s->notes[s->n] = *note;
	snprintf(s->text[s->n++], 80, "%s:%s %s", note->provider, note->name, note->args);
	return 0;
}

static int bias_of(struct dl_phdr_info *info, size_t size, void *arg)
{
	*(uint64_t *)arg = info->dlpi_addr;
	return 1;
}

static int stop(void *arg, const struct sdt_note *note)
{
	++*(int *)arg;
	return 42;
}

static bool from_file(void *arg, const char *name, size_t len, uint64_t *addr)
{
	return notes_symbol(*(int *)arg, name, len, addr);
}

static void check_own(int fd)
{
	struct dt_usdt_operand op[DT_USDT_NARGS];
	uint64_t bias = 0, addr;
	struct seen s = {0};
	unsigned char byte = 0;
	int calls = 0;

	dl_iterate_phdr(bias_of, &bias);
	CHECK_INT(notes_read(fd, keep, &s), 0);
	CHECK_INT(s.n, 4);
	CHECK_STR(s.text[0], "test:plain ");
	CHECK_STR(s.text[1], "test:with__all -4@notes_value(%rip) 8@%rdi");
	CHECK_STR(s.text[2], "test:moved ");
	CHECK_STR(s.text[3], "test:short ");
	for (unsigned i = 0; i < s.n; i++) {
		CHECK_INT(s.notes[i].pc + bias, (uintptr_t)notes_sites + (i == 1));
		CHECK_INT(pread(fd, &byte, 1, (off_t)s.notes[i].pc_offset), 1);
		CHECK_INT(byte, 0x90);
	}
	CHECK_INT(s.notes[0].semaphore, 0);
	CHECK_INT(s.notes[0].semaphore_offset, 0);
	CHECK_INT(s.notes[1].semaphore + bias, (uintptr_t)&notes_semaphore);
	CHECK(s.notes[1].semaphore_offset != 0);
	CHECK_INT(notes_read(fd, stop, &calls), 42);
	CHECK_INT(calls, 1);

	CHECK(notes_symbol(fd, "notes_value", 11, &addr));
	CHECK_INT(addr + bias, (uintptr_t)&notes_value);
	CHECK(!notes_symbol(fd, "notes_valu", 10, &addr));
	CHECK(!notes_symbol(fd, "environ_of_nobody", 17, &addr));
	CHECK_INT(usdt_parse("-4@notes_value(%rip) 8@%rdi", from_file, &fd, op), 2);
	CHECK_INT(op[0].moves, 1);
	CHECK_INT((uint64_t)op[0].number + bias, (uintptr_t)&notes_value);
}

static void check_others(void)
{
	char dir[] = "/tmp/notesXXXXXX", path[64];
	struct seen s = {0};
	int fd;

	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK_INT(notes_read(fd, keep, &s), -ENOEXEC);
	close(fd);
	CHECK_INT(notes_read(-1, keep, &s), -ENOEXEC);
	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/x", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	/* an ELF header for another machine, then for another kind of file */
	ElfW(Ehdr) eh = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(eh)};
	CHECK_INT(pwrite(fd, &eh, sizeof(eh), 0), sizeof(eh));
	CHECK_INT(notes_read(fd, keep, &s), -ENOTSUP);
	eh.e_machine = EM_X86_64;
	CHECK_INT(pwrite(fd, &eh, sizeof(eh), 0), sizeof(eh));
	CHECK_INT(notes_read(fd, keep, &s), 0); /* no sections: no notes */
	eh.e_type = ET_REL;
	CHECK_INT(pwrite(fd, &eh, sizeof(eh), 0), sizeof(eh));
	CHECK_INT(notes_read(fd, keep, &s), -ENOEXEC);
	CHECK_INT(s.n, 0);
	close(fd);
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		check_form(forms[i].text, &forms[i].op);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		check_unknown(unknown[i].text, unknown[i].why);
	check_lists();
	check_own(fd);
	check_others();
	close(fd);
	return test_done();
}
