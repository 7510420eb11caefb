/*
 * Arguments of a program's probe as a provider block types, orders and translates them.
 * @args -q
 * @trigger declared
 * @filter 's/0x[0-9a-f]+/ADDR/'
 * @ref providers 16.1 mapping
 * @ref providers 16.4 user-pointers
 */
struct request {
	char *path;
	int32_t status;
	uint16_t port;
};

typedef struct reqinfo {
	string req_path;
	int req_status;
} reqinfo_t;

translator reqinfo_t < struct request *R > {
	req_path = copyinstr((uintptr_t)R->path);
	req_status = R->status;
};

provider shop {
	probe request__done(struct request *r, int8_t n, char *who) : (char *who, reqinfo_t *r, struct request *r, int8_t n);
};

shop$target:::request-done
{
	printf("%s %s %d %d\n", stringof(copyinstr((uintptr_t)args[0])), args[1]->req_path, args[1]->req_status,
	    args[3]);
	printf("%d %s\n", args[2]->port, copyinstr(arg0));
	printf("%d %d\n", arg1 == arg2, (int)arg3);
	print(*args[2]);
}
