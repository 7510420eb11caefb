/*
 * A translated argument of a program's probe as a value: printed, and kept by variables.
 * @args -q
 * @trigger declared
 * @filter 's/0x[0-9a-f]+/ADDR/'
 * @ref d-language 16.2 object-print; d-language 16.3 translated
 */
struct request {
	char *path;
	int32_t status;
	uint16_t port;
};

typedef struct reqinfo {
	string req_path;
	int req_status;
	int req_port;
} reqinfo_t;

translator reqinfo_t < struct request *R > {
	req_path = copyinstr((uintptr_t)R->path);
	req_status = R->status;
};

provider shop {
	probe request__done(struct request *r, int8_t n, char *who) : (char *who, reqinfo_t *r, struct request *r, int8_t n);
};

reqinfo_t *last;

shop$target:::request-done
{
	print(*args[1]);
	print(args[1]);
	self->r = args[1];
	last = args[1];
}

shop$target:::request-done
/self->r != NULL/
{
	printf("%s %d %d\n", self->r->req_path, last->req_status, (uintptr_t)self->r == (uintptr_t)args[2]);
	self->r = 0;
}
