// SPDX-License-Identifier: Apache-2.0
#include "probe/provider.h"
#include "prov/prov.h"

const struct provider *const providers_all[] = {
	&provider_dtrace,
	&provider_profile,
	&provider_syscall,
	NULL,
};
