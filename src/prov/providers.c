// SPDX-License-Identifier: Apache-2.0
#include "probe/provider.h"
#include "prov/prov.h"

const struct provider *const providers_all[] = {
	&provider_dtrace,
	&provider_profile,
	&provider_syscall,
	&provider_sched,
	&provider_sdt,
	&provider_rawtp,
	&provider_fbt,
	&provider_rawfbt,
	NULL,
};

const char *const providers_later[] = {
	"cpc",
	"fpuinfo",
	"io",
	"ip",
	"lockstat",
	"pid",
	"plockstat",
	"proc",
	"sysinfo",
	"tcp",
	"udp",
	"usdt",
	"vminfo",
	NULL,
};
