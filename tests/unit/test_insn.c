// SPDX-License-Identifier: Apache-2.0
/*
 * sym/insn: lengths and kinds of instructions of every form; where those of libc begin, as objdump
 * has it.
 * @needs objdump
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/insn.h"

/* ---- single ones ---- */

#define E INSN_EMULATED
#define S INSN_STEPPED
#define R INSN_REFUSED

static const struct {
	const char *bytes;
	int kind; /* -1: not an instruction */
} samples[] = {
	{"90", E}, {"66 90", E}, {"f3 90", S}, /* pause */
	{"41 90", R},			       /* xchg %r8d,%eax */
	{"49 90", R},			       /* xchg %r8,%rax */
	{"87 c0", S},			       /* xchg %eax,%eax */
	{"0f 1f 00", S},		       /* nopl (%rax) */
	{"0f 1f 44 00 00", S}, {"66 0f 1f 84 00 00 00 00 00", S},
	{"66 2e 0f 1f 84 00 00 00 00 00", R},  /* cs nopw */
	{"f3 0f 1e fa", S},		       /* endbr64 */
	{"55", E}, {"41 57", E}, {"40 55", S}, /* push %rbp with a needless prefix */
	{"66 50", S},			       /* push %ax */
	{"68 78 56 34 12", S},		       /* push $ */
	{"66 68 34 12", S}, {"6a 01", S}, {"5d", S}, {"eb 10", E}, {"e9 00 01 00 00", E},
	{"e8 00 01 00 00", E}, {"66 e8 00 01 00 00", R},
	{"66 66 48 e8 00 01 00 00", R},					     /* of __tls_get_addr */
	{"f2 e9 00 01 00 00", E},					     /* bnd jmp */
	{"74 05", E}, {"2e 74 05", R},					     /* with a hint */
	{"0f 84 00 01 00 00", E}, {"66 0f 84 00 01 00 00", R}, {"e2 fe", S}, /* loop */
	{"e3 fe", S},							     /* jrcxz */
	{"ff e0", S}, {"3e ff e0", R},					     /* notrack jmp */
	{"ff 15 00 01 00 00", S}, {"c3", S}, {"f3 c3", S}, {"c2 08 00", S}, {"c9", S},
	{"c8 20 00 00", S}, {"48 89 e5", S}, {"48 8b 05 00 01 00 00", S},
	{"8b 04 25 00 01 00 00", S}, /* an address without a base */
	{"8b 44 24 08", S}, {"8b 84 24 00 01 00 00", S}, {"67 8b 04 24", S},
	{"48 b8 88 77 66 55 44 33 22 11", S}, {"b8 44 33 22 11", S}, {"66 b8 22 11", S},
	{"48 c7 c0 44 33 22 11", S}, {"66 c7 00 22 11", S}, {"c6 00 11", S},
	{"c6 f8 11", S},	  /* xabort */
	{"c7 f8 00 00 00 00", R}, /* xbegin */
	{"48 a1 88 77 66 55 44 33 22 11", S}, {"67 a1 44 33 22 11", S}, {"69 c0 44 33 22 11", S},
	{"66 69 c0 22 11", S}, {"f6 c1 01", S}, /* test */
	{"f6 d1", S},				/* not */
	{"f7 c1 44 33 22 11", S}, {"66 f7 c1 22 11", S}, {"48 f7 f1", S}, {"f0 ff 00", R},
	{"f0 48 0f b1 0a", R}, {"64 48 8b 04 25 28 00 00 00", S}, /* %fs:0x28 */
	{"26 8b 00", R}, {"cc", R}, {"cd 80", R}, {"f4", R}, {"e4 10", R}, {"ec", R}, {"6c", R},
	{"fa", R}, {"8e d0", R},		     /* mov %eax,%ss */
	{"8e d8", S},				     /* mov %eax,%ds */
	{"9b", S}, {"d9 7c 24 02", S}, {"0f 05", R}, /* syscall */
	{"0f 34", R},				     /* sysenter */
	{"0f 0b", S},				     /* ud2 */
	{"0f a2", S},				     /* cpuid */
	{"0f 31", S},				     /* rdtsc */
	{"0f 01 d0", S},			     /* xgetbv */
	{"0f ae f0", S},			     /* mfence */
	{"0f 20 00", S},			     /* mov %cr0,%rax: no displacement */
	{"0f ba e0 05", S}, {"0f a4 c2 05", S}, {"66 0f 70 c1 1b", S},		/* pshufd */
	{"0f c2 c1 00", S},							/* cmpps */
	{"66 0f 38 00 c1", S}, {"66 0f 3a 0f c1 08", S}, {"f2 0f 38 f1 c1", S}, /* crc32 */
	{"0f 0f c1 9e", S},		   /* 3DNow!, whose opcode is at the end */
	{"c5 f8 77", R},		   /* vzeroupper */
	{"c5 f8 10 00", S},		   /* vmovups */
	{"c5 f9 6f c1", R},		   /* vmovdqa */
	{"c5 f9 ef c0", R},		   /* vpxor */
	{"c5 f1 eb c1", R},		   /* vpor */
	{"c5 f9 70 c1 1b", R},		   /* vpshufd */
	{"c5 f0 c2 c2 00", R},		   /* vcmpps */
	{"c5 f8 50 c0", S},		   /* vmovmskps */
	{"c5 f8 90 c8", R},		   /* kmovw */
	{"c4 e2 f1 9d 05 00 01 00 00", R}, /* vfnmadd132sd */
	{"c4 e3 71 0f c2 08", S},	   /* vpalignr */
	{"c4 e2 fb f7 c1", S},		   /* shrx */
	{"c4 e3 fb f0 c1 08", S},	   /* rorx */
	{"c4 e2 79 8e 10", R},		   /* vpmaskmovd */
	{"62 f1 7c 48 10 c1", S},	   /* vmovups %zmm */
	{"62 f1 7c 48 10 44 24 01", S}, {"62 f3 7d 48 3f c2 00", R}, /* vpcmpeqb */
	{"62 f1 7d 48 c2 c1 00", R}, {"62 f5 7c 48 58 c1", S},	     /* vaddph */
	{"c4 e7 7b f8 c0 44 33 22 11", S},			     /* urdmsr */
	{"c4 e3 f1 6b c1 20", R},				     /* vfmaddsd */
	{"c4 e3 f9 5c c1 20", R},				     /* vfmaddsubps */
	{"c4 e3 f1 7f c1 20", R},				     /* vfnmsubsd */
	{"c4 e3 71 48 c1 20", R},				     /* vpermil2ps */
	{"8f e9 78 01 c8", R},					     /* blcfill */
	{"8f e8 78 c0 c1 05", R},				     /* vprotb */
	{"8f c0", S},						     /* pop %rax, written longer */
	{"8f ea 78 10 c1 44 33 22 11", R},			     /* bextr */
	/* none */
	{"06", -1}, {"27", -1}, {"9a 00 00 00 00 00 00", -1}, {"d5 00 90", -1}, /* APX */
	{"62 fc 7c 08 01 c8", -1},						/* likewise */
	{"40 66 90", -1}, {"48 c5 f8 77", -1}, {"fe f8", -1}, {"ff f8", -1},
	{"c7 08 00 00 00 00", -1}, {"0f 04", -1}, {"c4 e8 71 0f c2 08", -1},
	{"66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", -1}, /* 16 bytes */
};

static size_t parse(const char *text, uint8_t *out)
{
	size_t n = 0;
	char *end;

	for (unsigned long v; v = strtoul(text, &end, 16), end != text; text = end)
		out[n++] = (uint8_t)v;
	return n;
}

static void test_samples(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		uint8_t code[32] = {0};
		size_t n = parse(samples[i].bytes, code);
		enum insn_kind kind = (enum insn_kind) - 1;
		unsigned len = insn_decode(code, sizeof(code), &kind);
		unsigned want = samples[i].kind < 0 ? 0 : (unsigned)n;

		if (len != want || (int)kind != samples[i].kind) {
			fprintf(stderr, "%s: ", samples[i].bytes);
			CHECK_INT(len, want);
			CHECK_INT(kind, samples[i].kind);
		}
		/* all but its last byte is none, and so is nothing */
		for (size_t part = 0; part < n; part++)
			CHECK_INT(insn_decode(code, part, NULL), 0);
	}
}

/* Whatever the bytes are, nothing behind them is read: each is at the end of its allocation. */
static void test_any(void)
{
	uint32_t seed = 1;

	for (int i = 0; i < 200000; i++) {
		size_t n = (size_t)(i % 17);
		uint8_t *code = malloc(n ? n : 1);
		enum insn_kind kind = INSN_REFUSED;
		unsigned len;

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			code[k] = (uint8_t)(seed >> 24);
		}
		len = insn_decode(code, n, &kind);
		CHECK(len <= n && len <= INSN_MAX && kind <= INSN_REFUSED);
		free(code);
	}
}

static void test_boundaries(void)
{
	/* push %rbp; mov %rsp,%rbp; nopl 0(%rax,%rax,1); ret; what is none */
	static const uint8_t code[] = {
		0x55, 0x48, 0x89, 0xe5, 0x0f, 0x1f, 0x44, 0, 0, 0xc3, 6, 0x90};
	uint32_t at[4] = {9, 9, 9, 9};

	CHECK_INT(insn_boundaries(code, sizeof(code), at, 3), 4);
	CHECK_INT(at[0], 0);
	CHECK_INT(at[1], 1);
	CHECK_INT(at[2], 4);
	CHECK_INT(at[3], 9); /* untouched */
	CHECK_INT(insn_boundaries(code, sizeof(code), at, 4), 4);
	CHECK_INT(at[3], 9);
	CHECK_INT(insn_boundaries(code, 0, NULL, 0), 0);
	CHECK_INT(insn_boundaries(code, 3, at, 4), 1); /* the second is cut off */
}

/* ---- libc ---- */

static char libc[4096];

static void find_libc(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4352];

	while (f && !*libc && fgets(line, sizeof(line), f))
		if (strstr(line, "/libc.so.") || strstr(line, "/libc-2"))
			sscanf(strchr(line, '/'), "%4095s", libc);
	if (f)
		fclose(f);
}

#define RUN 65536

/* A run of instructions between which objdump saw nothing else. */
struct run {
	uint8_t code[RUN];
	uint32_t at[RUN], n, len;
};

static uint32_t compare(struct run *r)
{
	static uint32_t at[RUN];
	uint32_t n = insn_boundaries(r->code, r->len, at, RUN), bad = 0;

	for (uint32_t i = 0; i < r->n && !bad; i++) {
		if (i < n && at[i] == r->at[i])
			continue;
		bad = r->at[i] + 1;
		fprintf(stderr, "at %u of a run of %u bytes:", r->at[i], r->len);
		for (uint32_t k = i ? r->at[i - 1] : 0; k < r->len && k < r->at[i] + 15; k++)
			fprintf(stderr, " %02x", r->code[k]);
		fprintf(stderr, "\n");
	}
	CHECK_INT(bad, 0);
	CHECK_INT(n, r->n);
	n = r->n;
	r->n = r->len = 0;
	return n;
}

static void test_libc(void)
{
	static struct run r;
	char command[4352], line[512];
	uint32_t all = 0;
	FILE *f;

	find_libc();
	snprintf(command, sizeof(command), "objdump -dw -j .text '%s'", libc);
	f = popen(command, "r");
	while (f && fgets(line, sizeof(line), f)) {
		char *code = strstr(line, ":\t"), *text = code ? strchr(code + 2, '\t') : NULL;

		if (!code || !text || strstr(text, "(bad)") || r.len > RUN - 16) {
			all += compare(&r);
			continue;
		}
		*text = 0;
		r.at[r.n++] = r.len;
		r.len += (uint32_t)parse(code + 2, r.code + r.len);
		if (r.code[r.at[r.n - 1]] == 0x9b) { /* fwait, taken together with its successor */
			if (r.len > r.at[r.n - 1] + 1) {
				r.at[r.n] = r.at[r.n - 1] + 1;
				r.n++;
			}
		}
	}
	all += compare(&r);
	CHECK(f && !pclose(f));
	CHECK(all > 100000);
}

int main(void)
{
	test_samples();
	test_any();
	test_boundaries();
	test_libc();
	return test_done();
}
