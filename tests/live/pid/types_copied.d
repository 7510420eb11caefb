/*
 * Scratch memory of the process's own types: a copy is read and written as such, and what its pointers lead to is read from
 * the process.
 * @trigger types
 * @ref d-language 11.3 writes judged-when-run
 */
#pragma D option quiet

pid$target::handle:entry
{
	this->o = (struct types`outer *)copyin(arg0, sizeof(struct types`outer));
	printf("%d %d\n", this->o->color == args[0]->color, this->o->in->at.x == args[0]->in->at.x);
	this->o->points[0].x = 77;
	this->o->flag = 1;
	printf("%d %d %d\n", this->o->points[0].x, args[0]->points[0].x == 77, this->o->points[1].y == args[0]->points[1].y);
	this->new = (struct types`point *)alloca(2 * sizeof(struct types`point));
	this->new[1].y = 5;
	this->new->x = this->new->y = this->new[1].y + 1;
	print(*this->new);
}

pid$target::handle:entry
{
	this->o = (struct types`outer *)copyin(arg0, sizeof(struct types`outer));
	this->o->in->at.x = 1;
}

ERROR { printf("%d\n", arg4); }
