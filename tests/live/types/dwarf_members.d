/*
 * Members of what a program's functions get and return, by their types in its debug information.
 * @ref providers 15
 * @trigger dwarf_requests
 */
#pragma D option quiet

pid$target:a.out:handle_request:entry
{
	printf("%d %d %s %s\n", args[0]->id, args[0]->next->id, stringof(args[0]->next->where.path),
	    stringof(args[0]->name));
	printf("%s %d %s\n", stringof(args[1]->path), args[1]->port, stringof(args[2]));
	printf("%d %d %d\n", args[3], args[4], args[5]);
	printf("%d %d %d %d %d\n", args[0]->flags, args[0]->verb, args[0]->number, args[0]->half,
	    args[0]->grid[1][0]);
	self->r = args[0];
	this->next = args[0]->next;
	printf("%d %d\n", self->r->next->id, this->next->id);
}

pid$target:a.out:make:return
{
	printf("%d %d\n", args[1]->next->id, args[1]->where.port);
	ports[args[1]->id] = args[1]->where.port;
}

/* The sixth integer and on are on the stack; a double is in none of these places. */
pid$target:a.out:many:entry
{
	printf("%d %d %d %s %d %d %s %d\n", args[0], args[2], args[3], stringof(args[4]), args[5],
	    args[6], stringof(args[7]->name), args[8]);
	printf("%d\n", ports[args[7]->id]);
}
