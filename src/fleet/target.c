// SPDX-License-Identifier: Apache-2.0
/* Checks the URL that rows are sent to, and reads the file of credentials. */
#include "fleet/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_URL 1024

const char *target_problem(const char *url)
{
	const char *host = NULL;

	if (!strncmp(url, "http://", 7))
		host = url + 7;
	else if (!strncmp(url, "https://", 8))
		host = url + 8;
	if (!host || !*host || *host == '/' || *host == ':')
		return "the URL is not http://HOST:PORT/ or https://HOST:PORT/";
	if (strlen(url) > LONGEST_URL)
		return "the URL is too long";
	for (const char *p = url; *p; p++)
		if (*p <= ' ' || *p > '~')
			return "the URL has a character that must be written as %XX";
	if (strchr(host, '@') || strpbrk(host, "?#"))
		return "the URL can have no user, password or query: they are for -x credentials=FILE";
	return NULL;
}

/* Stores the rest of LINE after NAME= in TO, of TARGET_NAME bytes. */
static bool take(const char *line, const char *name, char *to)
{
	size_t len = strlen(name);

	if (strncmp(line, name, len) || strlen(line + len) >= TARGET_NAME)
		return false;
	strcpy(to, line + len);
	return true;
}

static int read_lines(FILE *in, struct target_credentials *c, const char **problem)
{
	char line[TARGET_NAME + 16];
	int err = 0;

	while (!err && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (!take(line, "user=", c->user) && !take(line, "password=", c->password))
			err = -EINVAL;
	}
	explicit_bzero(line, sizeof(line));
	if (ferror(in))
		return -EIO;
	if (err || !*c->user)
		*problem =
			"the file of credentials has lines other than user=NAME and password=TEXT, or no user";
	return err || !*c->user ? -EINVAL : 0;
}

int target_credentials(const char *path, struct target_credentials *c, const char **problem)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	FILE *in;
	int err;

	*problem = "the file of credentials cannot be read";
	memset(c, 0, sizeof(*c));
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	if ((st.st_mode & 077) || (st.st_uid && st.st_uid != geteuid())) {
		*problem = "the file of credentials must belong to its reader alone (chmod 600)";
		close(fd);
		return -EPERM;
	}
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return -ENOMEM;
	}
	setvbuf(in, NULL, _IONBF, 0); /* no copy stays on the heap */
	err = read_lines(in, c, problem);
	fclose(in);
	return err;
}
