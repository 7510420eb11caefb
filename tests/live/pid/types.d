/*
 * args[] have the types of the debug information: members through pointers two deep, strings behind pointers and in
 * arrays, enums, bit-fields, unions, arrays, narrow integers; the value of a return; integers behind floating-point and
 * big parameters.
 * @ref providers 15 typed-args
 * @ref d-builtins 1 args
 * @trigger types
 * @filter 's/0x[0-9a-f]+/0xADDR/; s/^ {40}//'
 */
#pragma D option quiet

pid$target::handle:entry
{
	printf("%s %s\n", copyinstr(arg1), stringof(args[1]));
	printf("%s %s %d %d\n", stringof(args[0]->in->name), stringof(args[0]->in->text),
		args[0]->in->at.x, args[0]->in->at.y);
	printf("%s\n", stringof(args[0]->next->in->name));
	printf("%d %d %d %d %d %d\n", args[0]->color, args[0]->low, args[0]->high, args[0]->flag, args[0]->yes, args[2]);
	printf("%x %x %d %d\n", args[0]->u.word, args[0]->u.bytes[3], args[0]->points[1].x, args[0]->points[1].y);
	print(*args[0]);
	print(args[2]);
	print(*args[0]->in);
	this->o = args[0];
	printf("%s %d\n", stringof(this->o->next->in->text), this->o->next->in->at.y);
	self->o = args[0];
	@[stringof(args[0]->in->name), args[0]->next->color] = sum(args[0]->high);
}
pid$target::handle:return { printf("%d %d\n", args[1], self->o->points[0].y); self->o = 0; }
pid$target::find:return { printf("%s ", stringof(args[1]->in->name)); print(*args[1]); }
pid$target::paint:entry { printf("%d %d %d %c\n", args[0], args[1], args[2], args[3]); }
pid$target::paint:return { print(args[1]); }
pid$target::mixed:entry { printf("%d %d\n", args[1], args[3]); }
pid$target::by_value:entry { printf("%d\n", args[1]); }
pid$target::big_value:entry { printf("%d\n", args[1]); }
END { printa("%s %d %@d\n", @); }
