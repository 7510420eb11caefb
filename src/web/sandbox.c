// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the web server. */
#include "web/sandbox.h"

#include <errno.h>
#include <unistd.h>

#include "confine/calls.h"
#include "confine/helper.h"

int sandbox_enter(void)
{
	int err = chdir("/") ? -errno : helper_become_nobody();

	if (!err)
		err = helper_drop_capabilities();
	return err ? err : calls_allow(CALLS_WEB);
}
