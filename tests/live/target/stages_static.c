/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
#include "stages.c"
