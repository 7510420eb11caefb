// SPDX-License-Identifier: Apache-2.0
/*
 * Compares the kernel's numbers in src/prov/constants.h with the C library's headers and with the
 * enumerators of the running kernel.
 */
#include "arch/arch.h"
#include "prov/constants.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <bpf/btf.h>

#include "test.h"

static long number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 0);

	CHECK_STR(end, "");
	return n;
}

static void test_headers(void)
{
	CHECK_INT(number(K_AF_INET), AF_INET);
	CHECK_INT(number(K_SOCK_STREAM), SOCK_STREAM);
	CHECK_INT(number(K_SOCK_DGRAM), SOCK_DGRAM);
	CHECK_INT(number(K_IPPROTO_ICMP), IPPROTO_ICMP);
	CHECK_INT(number(K_IPPROTO_TCP), IPPROTO_TCP);
	CHECK_INT(number(K_IPPROTO_UDP), IPPROTO_UDP);
	CHECK_INT(number(K_TCP_ESTABLISHED), TCP_ESTABLISHED);
	CHECK_INT(number(K_TCP_SYN_SENT), TCP_SYN_SENT);
	CHECK_INT(number(K_TCP_SYN_RECV), TCP_SYN_RECV);
	CHECK_INT(number(K_TCP_TIME_WAIT), TCP_TIME_WAIT);
	CHECK_INT(number(K_TCP_CLOSE), TCP_CLOSE);
	CHECK_INT(number(K_TCP_CLOSE_WAIT), TCP_CLOSE_WAIT);
	CHECK_INT(number(K_TCPHDR_FIN), TH_FIN);
	CHECK_INT(number(K_TCPHDR_SYN), TH_SYN);
	CHECK_INT(number(K_TCPHDR_RST), TH_RST);
	CHECK_INT(number(K_TCPHDR_ACK), TH_ACK);
	CHECK_INT(number(K_PRIO_PROCESS), PRIO_PROCESS);
	CHECK_INT(number(K_MIN_NICE), PRIO_MIN);
	CHECK_INT(number(K_MAX_NICE), PRIO_MAX - 1);
	CHECK_INT(number(K_CLD_EXITED), CLD_EXITED);
	CHECK_INT(number(K_CLD_KILLED), CLD_KILLED);
	CHECK_INT(number(K_CLD_DUMPED), CLD_DUMPED);
	CHECK_INT(number(K_STATUS_SIGNAL), WTERMSIG(0xffff));
	CHECK_INT(number(K_STATUS_CORE), WCOREFLAG);
}

/* The enumerator NAME of the running kernel into *VALUE; false: it has none. */
static bool find_enumerator(const struct btf *b, const char *name, long *value)
{
	for (uint32_t id = 1; id < btf__type_cnt(b); id++) {
		const struct btf_type *t = btf__type_by_id(b, id);

		if (!btf_is_enum(t))
			continue;
		for (int i = 0; i < btf_vlen(t); i++) {
			const struct btf_enum *e = btf_enum(t) + i;

			if (strcmp(btf__name_by_offset(b, e->name_off), name))
				continue;
			*value = e->val;
			return true;
		}
	}
	return false;
}

static void test_kernel(const struct btf *b)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{"IRQ_WAKE_THREAD", K_IRQ_WAKE_THREAD},
		{"TRACE_SIGNAL_DELIVERED", K_TRACE_SIGNAL_DELIVERED},
		{"TRACE_SIGNAL_IGNORED", K_TRACE_SIGNAL_IGNORED},
		{"X86_PF_PROT", ARCH_FAULT_THERE},
		{"X86_PF_WRITE", ARCH_FAULT_WRITE},
		{"REQ_OP_READ", K_REQ_OP_READ},
		{"REQ_OP_WRITE", K_REQ_OP_WRITE},
		{"REQ_OP_DRV_IN", K_REQ_OP_DRV_IN},
		{"__REQ_SYNC", K_REQ_SYNC_BIT},
		{"TCP_NEW_SYN_RECV", K_TCP_NEW_SYN_RECV},
		{"BPF_TCP_NEW_SYN_RECV", K_TCP_NEW_SYN_RECV},
		{"BPF_TCP_CLOSE", K_TCP_CLOSE},
	};
	int found = 0;
	long value;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!find_enumerator(b, rows[i].name, &value))
			continue;
		found++;
		CHECK_INT(number(rows[i].text), value);
		if (number(rows[i].text) != value)
			printf("\t%s\n", rows[i].name);
	}
	CHECK(found >= 8);
	/* single bits, whose numbers are enumerators since Linux 6.9 */
	if (find_enumerator(b, "___GFP_MOVABLE_BIT", &value))
		CHECK_INT(number(K_GFP_MOVABLE), 1L << value);
	if (find_enumerator(b, "___GFP_ZERO_BIT", &value))
		CHECK_INT(number(K_GFP_ZERO), 1L << value);
}

int main(void)
{
	struct btf *b;

	test_headers();
	b = btf__load_vmlinux_btf();
	if (b)
		test_kernel(b);
	else if (!test_failed)
		test_skip("no kernel types");
	btf__free(b);
	return test_done();
}
