/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static-pie -fPIE */
#include "stages.c"
