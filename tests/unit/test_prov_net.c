// SPDX-License-Identifier: Apache-2.0
/*
 * test_prov_net: the ip, tcp, udp and mib providers over made-up kernels: what their probes are
 * made of where functions can be traced, where netfilter runs programs, and where neither is.
 *
 * @ref providers 9
 * @ref providers 10
 * @ref providers 11
 * @ref providers 14
 */
#include <errno.h>
#include <linux/in.h>
#include <linux/netfilter.h>

#include "made_up.h"
#include "test.h"

#define FUNCTIONS (1ull << FEATURE_FENTRY | 1ull << FEATURE_FEXIT)
#define NETFILTER (1ull << FEATURE_NETFILTER)

static struct btf *made_up_btf(void)
{
	static const struct {
		const char *name;
		int n;
	} hooks[] = {
		{"btf_trace_inet_sock_set_state", 3}, {"btf_trace_tcp_receive_reset", 1},
		{"btf_trace_tcp_send_reset", 2}, {"btf_trace_tcp_retransmit_skb", 2},
		{"btf_trace_kfree_skb", 3}, {"ip_finish_output", 3}, {"ip6_finish_output", 3},
		{"ip_local_deliver", 1}, {"ip6_input", 1}, {"__ip_local_out", 3}, {"ip6_output", 3},
		{"tcp_v4_rcv", 1}, {"tcp_v6_rcv", 1},
		{"udp_rcv", 1}, /* that of version 6 is not there */
	};
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED);

	for (size_t k = 0; k < sizeof(hooks) / sizeof(hooks[0]); k++)
		add_hook(b, hooks[k].name, hooks[k].n, i);
	return b;
}

/* Without packets there is what becomes of connections. */
static void test_listing(struct kernel *k)
{
	struct session s;

	k->features = 0;
	s = session_new(k);
	CHECK_INT(match(&s, "tcp", ""), 6);
	CHECK_STR(seen,
		"3400:state-change 3403:connect-request 3404:connect-established "
		"3405:connect-refused 3406:accept-established 3407:accept-refused");
	CHECK_INT(match(&s, "ip", ""), 2);
	CHECK_STR(seen, "3302:drop-in 3303:drop-out");
	CHECK_INT(match(&s, "udp", ""), 0);
	CHECK_INT(match(&s, "mib", "tcp*"), 5);
	CHECK_STR(seen,
		"3620:tcpActiveOpens 3621:tcpAttemptFails 3622:tcpEstabResets "
		"3626:tcpPassiveOpens 3627:tcpRetransSegs");
	arena_free(s.a);
	k->features = NETFILTER;
	s = session_new(k);
	CHECK_INT(match(&s, "tcp", ""), 8);
	CHECK_INT(match(&s, "ip", ""), 4);
	CHECK_INT(match(&s, "udp", ""), 2);
	arena_free(s.a);
}

static void functions(struct session *s, const char *prov, const char *name, enum attach_kind first,
	const char *v4, const char *v6)
{
	struct attach_plan p;

	CHECK_INT(match(s, prov, name), 1);
	if (!last)
		return;
	CHECK_INT(plan(s, last, 0, &p), 0);
	CHECK_INT(p.kind, first);
	CHECK_STR(p.hook, v4);
	CHECK_INT(plan(s, last, 1, &p), 0);
	CHECK_INT(p.kind, ATTACH_FENTRY);
	CHECK_STR(p.hook, v6);
	CHECK_INT(plan(s, last, 2, &p), -ENOENT);
}

static void netfilter(struct session *s, const char *prov, const char *name, int hook)
{
	static const uint8_t families[] = {NFPROTO_IPV4, NFPROTO_IPV6};
	struct attach_plan p;

	CHECK_INT(match(s, prov, name), 1);
	if (!last)
		return;
	for (unsigned i = 0; i < 2; i++) {
		CHECK_INT(plan(s, last, i, &p), 0);
		CHECK_INT(p.kind, ATTACH_NETFILTER);
		CHECK_INT(p.nf_family, families[i]);
		CHECK_INT(p.nf_hook, hook);
		CHECK(p.from && !strcmp(p.from->params, "state skb"));
	}
	CHECK_INT(plan(s, last, 2, &p), -ENOENT);
}

static void tracepoint(struct session *s, const char *prov, const char *name, const char *hook)
{
	struct attach_plan p;

	CHECK_INT(match(s, prov, name), 1);
	if (!last)
		return;
	CHECK_INT(plan(s, last, 0, &p), 0);
	CHECK_INT(p.kind, ATTACH_TP_BTF);
	CHECK_STR(p.hook, hook);
	CHECK_INT(plan(s, last, 1, &p), -ENOENT);
}

/* Functions, as these see all network namespaces, before netfilter. */
static void test_ways(struct kernel *k)
{
	struct session s;

	k->features = FUNCTIONS | NETFILTER;
	s = session_new(k);
	functions(&s, "ip", "send", ATTACH_FENTRY, "ip_finish_output", "ip6_finish_output");
	functions(&s, "ip", "receive", ATTACH_FENTRY, "ip_local_deliver", "ip6_input");
	functions(&s, "tcp", "send", ATTACH_FEXIT, "__ip_local_out", "ip6_output");
	functions(&s, "tcp", "receive", ATTACH_FENTRY, "tcp_v4_rcv", "tcp_v6_rcv");
	functions(&s, "tcp", "connect-request", ATTACH_FEXIT, "__ip_local_out", "ip6_output");
	functions(&s, "udp", "send", ATTACH_FEXIT, "__ip_local_out", "ip6_output");
	/* for both versions or not at all */
	netfilter(&s, "udp", "receive", NF_INET_LOCAL_IN);
	arena_free(s.a);

	k->features = NETFILTER;
	s = session_new(k);
	netfilter(&s, "ip", "send", NF_INET_POST_ROUTING);
	netfilter(&s, "ip", "receive", NF_INET_LOCAL_IN);
	netfilter(&s, "tcp", "send", NF_INET_LOCAL_OUT);
	netfilter(&s, "tcp", "receive", NF_INET_LOCAL_IN);
	netfilter(&s, "tcp", "connect-request", NF_INET_LOCAL_OUT);
	netfilter(&s, "tcp", "accept-refused", NF_INET_LOCAL_OUT);
	netfilter(&s, "mib", "ipForwDatagrams", NF_INET_FORWARD);
	tracepoint(&s, "tcp", "state-change", "inet_sock_set_state");
	tracepoint(&s, "tcp", "connect-established", "inet_sock_set_state");
	tracepoint(&s, "tcp", "connect-refused", "tcp_receive_reset");
	tracepoint(&s, "ip", "drop-in", "kfree_skb");
	arena_free(s.a);

	k->features = 0;
	s = session_new(k);
	tracepoint(&s, "tcp", "connect-request", "inet_sock_set_state");
	tracepoint(&s, "tcp", "accept-refused", "tcp_send_reset");
	arena_free(s.a);
}

static void test_args(struct kernel *k)
{
	static const char *const tcp[] = {
		"pktinfo_t *", "csinfo_t *", "ipinfo_t *", "tcpsinfo_t *", "tcpinfo_t *"};
	static const char *const change[] = {
		NULL, "csinfo_t *", NULL, "tcpsinfo_t *", NULL, "tcplsinfo_t *"};
	struct probe_args args = {0};
	struct session s;

	k->features = NETFILTER;
	s = session_new(k);
	match(&s, "tcp", "send");
	provider_tcp.describe(registry_env(s.r), last, &args);
	CHECK_INT(args.nargs, 5);
	for (unsigned i = 0; i < 5; i++)
		CHECK_STR(args.xtypes[i], tcp[i]);
	args = (struct probe_args){0};
	match(&s, "tcp", "state-change");
	provider_tcp.describe(registry_env(s.r), last, &args);
	CHECK_INT(args.nargs, 6);
	for (unsigned i = 0; i < 6; i++)
		CHECK(!change[i] ? !args.xtypes[i]
				 : args.xtypes[i] && !strcmp(args.xtypes[i], change[i]));
	arena_free(s.a);
}

static void test_weaker(struct kernel *k)
{
	struct probe_pattern udp = {"udp", "", "", ""};
	struct session s;

	k->features = 0;
	s = session_new(k);
	CHECK_STR(registry_missing(s.r, &udp),
		"the kernel has no netfilter programs (Linux 6.4) or tracing of kernel functions");
	arena_free(s.a);
	k->features = NETFILTER;
	s = session_new(k);
	CHECK_STR(provider_diagnose(&provider_udp, registry_env(s.r), NULL).degraded,
		"the first packets of network namespaces made while tracing may be missed (the "
		"kernel has no tracing of kernel functions)");
	arena_free(s.a);
	k->features = FUNCTIONS;
	s = session_new(k);
	CHECK(!provider_diagnose(&provider_ip, registry_env(s.r), NULL).degraded);
	arena_free(s.a);
}

int main(void)
{
	struct btf *b = made_up_btf();
	struct kernel k = {0};

	k.data = btf__raw_data(b, &k.len);
	test_listing(&k);
	test_ways(&k);
	test_args(&k);
	test_weaker(&k);
	btf__free(b);
	return test_done();
}
