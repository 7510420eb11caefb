// SPDX-License-Identifier: Apache-2.0
/* Holds the table of providers. */
#include "prov/prov.h"

const struct provider *const providers_all[] = {
	&provider_dtrace,
	&provider_profile,
	&provider_cpc,
	&provider_syscall,
	&provider_proc,
	&provider_sched,
	&provider_io,
	&provider_ip,
	&provider_tcp,
	&provider_udp,
	&provider_mib,
	&provider_lockstat,
	&provider_vminfo,
	&provider_sysinfo,
	&provider_sdt,
	&provider_rawtp,
	&provider_fbt,
	&provider_rawfbt,
	&provider_pid,
	&provider_java,
	&provider_python,
	&provider_usdt,
	NULL,
};

const char *const providers_later[] = {
	"fpuinfo",
	"plockstat",
	NULL,
};
