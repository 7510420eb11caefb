/* SPDX-License-Identifier: Apache-2.0 */
/* prov: each provider is one file here and one row in providers.c. */
#ifndef PROV_PROV_H
#define PROV_PROV_H

#include "probe/provider.h"

/* All providers, NULL-terminated, in the order of dtrace -l (providers.c). */
extern const struct provider *const providers_all[];

/* DTrace's other providers, which are not supported yet; NULL-terminated.  Names without a number:
 * "plockstat" stands for plockstat123. */
extern const char *const providers_later[];

extern const struct provider provider_dtrace;
extern const struct provider provider_profile;
extern const struct provider provider_syscall;
extern const struct provider provider_proc;
extern const struct provider provider_fbt;
extern const struct provider provider_rawfbt;
extern const struct provider provider_sdt;
extern const struct provider provider_rawtp;
extern const struct provider provider_sched;
extern const struct provider provider_ip;
extern const struct provider provider_tcp;
extern const struct provider provider_udp;
extern const struct provider provider_mib;
extern const struct provider provider_io;
extern const struct provider provider_lockstat;
extern const struct provider provider_vminfo;
extern const struct provider provider_sysinfo;
extern const struct provider provider_cpc;
extern const struct provider provider_pid;
extern const struct provider provider_java;
extern const struct provider provider_python;
extern const struct provider provider_usdt;

#endif
