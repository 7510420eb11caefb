/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -no-pie -fno-pie -s */
/* Runs stages.c from a program at fixed addresses, without symbols. */
#include "stages.c"
