// A compiler for tests: small, quick to start, and does what its arguments say, one after
// the other, then exits with 0:
//
//   exit N, signal N             end at once, by that exit code or signal
//   pause MS                     wait
//   write N                      N bytes to standard output
//   say TEXT, complain TEXT      a line to standard output, or error
//   create PATH                  an empty file; fails when it is there
//   print-parent, print-state    who started it; what it has been given
//   print-generation             how many children its grandparent has
//   kill-parent, kill-grandparent
//   ignore N, block N, leak N    ignore or block a signal, open a descriptor for what follows
//   exec PROGRAM ARGUMENT...     become another program
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int Pause(int ms) { return poll(NULL, 0, ms); }

static int Write(long bytes) {
  static char block[4096];
  memset(block, 'x', sizeof block);
  while (bytes > 0) {
    const ssize_t written = write(STDOUT_FILENO, block, bytes < 4096 ? (size_t)bytes : sizeof block);
    if (written < 0) return -1;
    bytes -= written;
  }
  return 0;
}

static int Create(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  return fd < 0 ? -1 : close(fd);
}

// The open descriptors, what the standard ones are, the signals that are not as by default,
// the working directory and the environment.
static int PrintState(void) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return -1;
  printf("descriptors:");
  for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder)) printf(" %s", entry->d_name);
  }
  closedir(folder);
  for (int fd = 0; fd <= 2; ++fd) {
    char link[32], target[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) < 0) return -1;
    printf("\n%d: %s", fd, target);
  }
  sigset_t blocked;
  if (sigprocmask(SIG_BLOCK, NULL, &blocked) != 0) return -1;
  printf("\nsignals:");
  for (int number = 1; number <= 31; ++number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) return -1;
    if (action.sa_handler != SIG_DFL) printf(" ignored %d", number);
    if (sigismember(&blocked, number)) printf(" blocked %d", number);
  }
  char folder_path[4096];
  if (getcwd(folder_path, sizeof folder_path) == NULL) return -1;
  printf("\nfolder: %s\nenvironment:", folder_path);
  for (char** variable = environ; *variable != NULL; ++variable) printf(" %s", *variable);
  printf("\n");
  return fflush(stdout);
}

// 0 when there is no such process.
static int ParentOf(int pid) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE* file = fopen(path, "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
  fclose(file);
  return parent;
}

static int PrintGeneration(void) {
  const int grandparent = ParentOf((int)getppid());
  DIR* folder = opendir("/proc");
  if (folder == NULL || grandparent == 0) return -1;
  int children = 0;
  for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    const int pid = atoi(entry->d_name);
    if (pid > 0 && ParentOf(pid) == grandparent) ++children;
  }
  closedir(folder);
  printf("%d\n", children);
  return fflush(stdout);
}

// Never kills all processes, nor init.
static int Kill(pid_t pid) { return pid > 1 ? kill(pid, SIGKILL) : -1; }

static int Block(int number) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  return sigprocmask(SIG_BLOCK, &signals, NULL);
}

static int Say(FILE* where, const char* text) { return fprintf(where, "%s\n", text) < 0 ? -1 : fflush(where); }

static int Do(const char* verb, char** operand) {
  const char* const text = *operand != NULL ? *operand : "";
  const int number = atoi(text);
  if (strcmp(verb, "exit") == 0) exit(number);
  if (strcmp(verb, "signal") == 0) return raise(number);
  if (strcmp(verb, "pause") == 0) return Pause(number);
  if (strcmp(verb, "write") == 0) return Write(atol(text));
  if (strcmp(verb, "say") == 0) return Say(stdout, text);
  if (strcmp(verb, "complain") == 0) return Say(stderr, text);
  if (strcmp(verb, "create") == 0) return Create(text);
  if (strcmp(verb, "ignore") == 0) return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0;
  if (strcmp(verb, "block") == 0) return Block(number);
  if (strcmp(verb, "leak") == 0) return dup2(STDIN_FILENO, number) < 0 ? -1 : 0;
  if (strcmp(verb, "exec") == 0) return execv(text, operand);
  return -1;
}

static int DoAlone(const char* verb) {
  if (strcmp(verb, "print-parent") == 0) return printf("%d\n", (int)getppid()) < 0 ? -1 : fflush(stdout);
  if (strcmp(verb, "print-state") == 0) return PrintState();
  if (strcmp(verb, "print-generation") == 0) return PrintGeneration();
  if (strcmp(verb, "kill-parent") == 0) return Kill(getppid());
  if (strcmp(verb, "kill-grandparent") == 0) return Kill(ParentOf((int)getppid()));
  return 1;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const char* const verb = argv[i];
    int result = DoAlone(verb);
    if (result == 1) result = Do(verb, &argv[++i]);
    if (result < 0) {
      fprintf(stderr, "fake_compiler: %s failed\n", verb);
      return 100;
    }
  }
  return 0;
}
