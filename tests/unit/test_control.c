// SPDX-License-Identifier: Apache-2.0
/* Instructions that hand control to another place: each form, with prefixes, and cut short. */
#include "arch/control.h"

#include <string.h>

#include "test.h"

static const struct {
	const char *bytes;
	unsigned len;
	enum control_kind kind;
	int64_t target;
	uint8_t cc;
} forms[] = {
	{"\xc3", 1, CONTROL_RETURN, 0, 0},
	{"\xf3\xc3", 2, CONTROL_RETURN, 0, 0},
	{"\xf2\xc3", 2, CONTROL_RETURN, 0, 0},
	{"\xc2\x08\x00", 3, CONTROL_RETURN, 0, 0},
	{"\xeb\xfe", 2, CONTROL_JUMP, 0, 0},
	{"\xe9\x10\x00\x00\x00", 5, CONTROL_JUMP, 21, 0},
	{"\xf2\xe9\xf0\xff\xff\xff", 6, CONTROL_JUMP, -10, 0},
	{"\xe8\x00\x01\x00\x00", 5, CONTROL_CALL, 261, 0},
	{"\x74\x10", 2, CONTROL_BRANCH, 18, 4},
	{"\x3e\x7f\x80", 3, CONTROL_BRANCH, -125, 15},
	{"\x0f\x8c\x00\x10\x00\x00", 6, CONTROL_BRANCH, 4102, 12},
	{"\xe3\x02", 2, CONTROL_COUNTED, 4, 0},
	{"\xe2\xfc", 2, CONTROL_COUNTED, -2, 0},
	{"\xff\xd0", 2, CONTROL_CALLED, 0, 0},
	{"\xff\x15\x00\x00\x00\x00", 6, CONTROL_CALLED, 0, 0},
	/* others: push, a far return, a load whose operand looks like a return */
	{"\xff\x75\xc3", 3, CONTROL_NEXT, 0, 0},
	{"\xcb", 1, CONTROL_NEXT, 0, 0},
	{"\x48\x8b\xc3", 3, CONTROL_NEXT, 0, 0},
	{"\x0f\x05", 2, CONTROL_NEXT, 0, 0},
};

static void test_forms(void)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct control c;

		CHECK(control_decode((const uint8_t *)forms[i].bytes, forms[i].len, &c));
		CHECK_INT(c.len, forms[i].len);
		CHECK_INT(c.kind, forms[i].kind);
		CHECK_INT(c.target, forms[i].target);
		CHECK_INT(c.cc, forms[i].cc);
		for (unsigned n = 1; n < forms[i].len; n++)
			if (control_decode((const uint8_t *)forms[i].bytes, n, &c))
				CHECK(c.len <= n);
	}
}

static const struct {
	const char *bytes;
	unsigned len;
	struct control_operand operand;
} jumps[] = {
	/* jmp *%rax, *%r11 */
	{"\xff\xe0", 2, {.base = 0, .index = CONTROL_NO_REG}},
	{"\x41\xff\xe3", 3, {.base = 11, .index = CONTROL_NO_REG}},
	/* bnd jmp *%rdi */
	{"\xf2\xff\xe7", 3, {.base = 7, .index = CONTROL_NO_REG}},
	/* jmp *0x10(%rip) */
	{"\xff\x25\x10\x00\x00\x00", 6,
		{.memory = true,
			.relative = true,
			.base = CONTROL_NO_REG,
			.index = CONTROL_NO_REG,
			.displacement = 16}},
	/* jmp *(%rdx), *-8(%r12), *0x100(%rbp) */
	{"\xff\x22", 2, {.memory = true, .base = 2, .index = CONTROL_NO_REG}},
	{"\x41\xff\x64\x24\xf8", 5,
		{.memory = true, .base = 12, .index = CONTROL_NO_REG, .displacement = -8}},
	{"\xff\xa5\x00\x01\x00\x00", 6,
		{.memory = true, .base = 5, .index = CONTROL_NO_REG, .displacement = 256}},
	/* jmp *(%rcx,%rdx,8), *(%r8,%r9,4) */
	{"\xff\x24\xd1", 3, {.memory = true, .base = 1, .index = 2, .shift = 3}},
	{"\x43\xff\x24\x88", 4, {.memory = true, .base = 8, .index = 9, .shift = 2}},
	/* jmp *0x1000(,%rax,8) */
	{"\xff\x24\xc5\x00\x10\x00\x00", 7,
		{.memory = true,
			.base = CONTROL_NO_REG,
			.index = 0,
			.shift = 3,
			.displacement = 4096}},
	/* jmp *%fs:0x10 */
	{"\x64\xff\x24\x25\x10\x00\x00\x00", 8,
		{.memory = true,
			.segment = true,
			.base = CONTROL_NO_REG,
			.index = CONTROL_NO_REG,
			.displacement = 16}},
};

static void test_operands(void)
{
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		const struct control_operand *want = &jumps[i].operand;
		struct control c;

		CHECK(control_decode((const uint8_t *)jumps[i].bytes, jumps[i].len, &c));
		CHECK_INT(c.kind, CONTROL_INDIRECT);
		CHECK_INT(c.operand.memory, want->memory);
		CHECK_INT(c.operand.relative, want->relative);
		CHECK_INT(c.operand.segment, want->segment);
		CHECK_INT(c.operand.base, want->base);
		CHECK_INT(c.operand.index, want->index);
		CHECK_INT(c.operand.shift, want->shift);
		CHECK_INT(c.operand.displacement, want->displacement);
	}
}

int main(void)
{
	test_forms();
	test_operands();
	return test_done();
}
