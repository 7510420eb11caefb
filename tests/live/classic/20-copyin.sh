#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Arguments of a script as $1 and $$1, strings and structs of user memory: copyin(), copyinto(), copyinstr() with a length.
# @ref d-language 2 defaultargs; d-builtins 3.1 copyin copyinto copyinstr copyinstr-max
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >look.d <<'D'
#!/usr/sbin/dtrace -s
/* usage: look.d name number */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option strsize=64

dtrace:::BEGIN
{
	printf("looking for %s, %d times, third is \"%s\", fourth %d\n", $$1, $2, $$3, $4);
	ok = $$1 == "alice" && $2 > NULL;
}

pid$target:a.out:take:entry
/ok/
{
	this->name = copyinstr(arg0 + 16);
	this->short = copyinstr(arg0 + 16, 3);
	this->words = (int *)copyin(arg0, 2 * sizeof (int));
	this->b = (char *)alloca(8);
	copyinto(arg0 + 16, 4, this->b);
	this->b[4] = '\0';
	this->is = this->name == $$1 ? "this one" : "another";
	printf("%d/%d %s (%s, %s): %s\n", this->words[0], this->words[1], this->name, this->short,
	    stringof(this->b), this->is);
	seen[this->name]++;
}

dtrace:::END
/seen[$$1] == $2/
{
	printf("%s was seen %d times\n", $$1, seen[$$1]);
}

dtrace:::END
/seen["nobody"] != NULL/
{
	printf("never\n");
}
D
"$DTRACE" -s look.d -c "$BUILD/tests/live/classic/store 4" alice 2
