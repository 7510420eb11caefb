/*
 * Which translator: the one for the type itself, then for what the type stands for, then one whose
 * input the value could be assigned to.
 * @ref d-language 16.2 lookup
 */
#pragma D option quiet

struct out { string how; };
typedef int number;
typedef struct task_struct task_t;

translator struct out < char c > { how = "char"; };
translator struct out < int n > { how = "int"; };
translator struct out < void *p > { how = "void *"; };
translator struct out < struct task_struct *p > { how = "task"; };
translator struct out < string s > { how = "string"; };

BEGIN
{
	printf("%s\n", xlate <struct out> ((char)1).how);
	printf("%s\n", xlate <struct out> (1).how);
	printf("%s\n", xlate <struct out> ((number)1).how);
	printf("%s\n", xlate <struct out> ((const int)1).how);
	printf("%s\n", xlate <struct out> (curthread).how);
	printf("%s\n", xlate <struct out> ((task_t *)curthread).how);
	printf("%s\n", xlate <struct out> ((void *)1).how);
	printf("%s\n", xlate <struct out> ((int *)1).how);
	printf("%s\n", xlate <struct out> ("s").how);
	exit(0);
}
