// SPDX-License-Identifier: Apache-2.0
/*
 * args[] that a provider has translated, by a provider of the test's own, on the way from D text to
 * what is printed.
 * @ref d-language 16.3 translated; d-errors 2.6 D_ARGS_IDX
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dtrace/dtrace.h"
#include "prov/prov.h"
#include "test.h"
#include "types/type.h"
#include "types/types.h"

#define TRANSLATOR                                                 \
	"struct callinfo { int number; int twice; string text; };" \
	"translator struct callinfo < long id > {"                 \
	"	number = id; twice = 2 * id; text = id == 110 ? \"getppid\" : \"other\"; };"

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	emit(arg, 0, "own", "", "", "call", 0);
	return 0;
}

/* args[0]: translated by pointer, [1]: by value, [2]: nobody translates, [3]: of unknown type */
static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	out->raw[0] = (struct arg_source){WHERE_CTX, 8, NULL, 0};
	out->nargs = 4;
	for (unsigned i = 0; i < 3; i++)
		out->types[i] = types_basic(env->types, T_LONG);
	out->xtypes[0] = "struct callinfo *";
	out->xtypes[1] = "struct callinfo";
	out->xtypes[2] = "struct task_struct *";
	return 0;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	out->kind = ATTACH_TP_BTF;
	out->hook = "sys_enter";
	return 0;
}

static const struct provider own = {
	.name = "own",
	.first_id = 100,
	.max_slots = 1,
	.attr_prov = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_mod = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_func = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_name = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_args = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.discover = discover,
	.describe = describe,
	.plan = plan,
};

const struct provider *const providers_all[] = {&provider_dtrace, &own, NULL};
const char *const providers_later[] = {NULL};

static struct dtrace *session(void)
{
	struct dtrace *d = dtrace_session_open();

	CHECK_INT(dtrace_option_set(d, "nolibs", NULL), 0);
	CHECK_INT(dtrace_option_set(d, "quiet", NULL), 0);
	CHECK_INT(dtrace_option_set(d, "errtags", NULL), 0);
	return d;
}

/* Checks what TEXT prints when this process calls getppid() once. */
static void check_output(const char *text, const char *want)
{
	struct dtrace *d = session();
	char *out = NULL;
	size_t len;
	struct dtrace_prog *p;
	FILE *f = open_memstream(&out, &len);

	dtrace_output_add(d, "text", f);
	p = dtrace_compile_string(d, text, DTRACE_SPEC_NAME);
	CHECK(p != NULL);
	CHECK_INT(dtrace_prog_enable(d, p), 0);
	CHECK_INT(dtrace_session_go(d), 0);
	syscall(SYS_getppid);
	while (dtrace_session_work(d) == DTRACE_WORK_OKAY)
		;
	dtrace_session_close(d);
	fclose(f);
	CHECK_STR(out, want);
	free(out);
}

static void check_error(const char *text, const char *tag)
{
	struct dtrace *d = session();

	CHECK(!dtrace_compile_string(d, text, DTRACE_SPEC_NAME));
	CHECK(strstr(dtrace_session_error(d), tag) != NULL);
	if (!strstr(dtrace_session_error(d), tag))
		printf("\tgot  %s\n", dtrace_session_error(d));
	dtrace_session_close(d);
}

int main(void)
{
	char text[1024];

	check_error("own:::call { trace(args[0]->number); }", "D_ARGS_XLATOR");
	check_error(TRANSLATOR "own:::call { trace(args[2]->pid); }", "D_ARGS_XLATOR");
	check_error(TRANSLATOR "own:::call { trace(args[3]); }", "D_ARGS_TYPE");
	check_error(TRANSLATOR "own:::call { trace(args[4]); }", "D_ARGS_IDX");
	check_error(TRANSLATOR "own:::call { trace(args[0]->none); }", "D_TYPE_MEMBER");
	if (geteuid())
		test_skip("needs root");
	snprintf(text, sizeof(text),
		TRANSLATOR "own:::call /pid == %d && args[0]->number == %d/"
			   "{ printf(\"%%d %%d %%s %%d\", args[0]->number, args[0]->twice, "
			   "args[1].text, arg0); exit(0); }",
		(int)getpid(), SYS_getppid);
	check_output(text, "110 220 getppid 110\n");
	return test_done();
}
