// SPDX-License-Identifier: Apache-2.0
#include "probe/provider.h"
#include "prov/prov.h"

const struct provider *const providers_all[] = {
	&provider_dtrace,
	&provider_profile,
	&provider_syscall,
	&provider_sched,
	&provider_ip,
	&provider_tcp,
	&provider_udp,
	NULL,
};

const char *const providers_later[] = {
	"cpc",
	"fbt",
	"fpuinfo",
	"io",
	"lockstat",
	"pid",
	"plockstat",
	"proc",
	"rawfbt",
	"rawtp",
	"sdt",
	"sysinfo",
	"usdt",
	"vminfo",
	NULL,
};
