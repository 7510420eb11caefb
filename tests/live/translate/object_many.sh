#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Arrays of translated objects may be as many as other arrays, which then share maps whose values are larger.
# @ref d-language 16.2 object-variable

arrays=90
{
	echo '#pragma D option quiet'
	echo 'struct out { int value; string text; int next; };'
	echo 'translator struct out < int i > { value = i; text = strjoin("n", lltostr(i)); next = i + 1; };'
	echo 'int64_t total;'
	echo 'BEGIN {'
	for ((i = 0; i < arrays; i++)); do
		echo "a$i[$i] = xlate <struct out *> ($i); b$i[$i, 1] = xlate <struct out *> ($i); c$i[$i] = $i;"
	done
	echo '} BEGIN {'
	for ((i = 0; i < arrays; i++)); do
		echo "total += a$i[$i]->value + strlen(a$i[$i]->text) + b$i[$i, 1]->next + c$i[$i]; a$i[$i] = NULL;"
	done
	echo '} BEGIN {'
	for ((i = 0; i < arrays; i++)); do
		echo "total += a$i[$i] == NULL;"
	done
	echo 'printf("%d\n", total); exit(0); }'
} > many.d
want=0
for ((i = 0; i < arrays; i++)); do
	text=n$i
	((want += i + ${#text} + i + 1 + i + 1))
done
got=$($DTRACE -s many.d) || exit
[[ $got = "$want" ]] || { echo "$got, not $want"; exit 1; }
