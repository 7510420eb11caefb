/* An inline that is neither number nor string. */
#pragma tool param p cgroup "a control group"
inline struct task_struct *p = curthread;
BEGIN { exit(p->pid); }
