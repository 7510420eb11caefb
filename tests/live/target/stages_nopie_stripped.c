/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -no-pie -fno-pie -s */
#include "stages.c"
