// A compiler for tests. Called like gcc, it writes a small output, refuses the controls, and
// does to the probe that the file PROGRAM.conf names what that file says: "PROBE DEED".
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char* After(char** argv, const char* flag) {
  for (; *argv != NULL; ++argv) {
    if (strcmp(*argv, flag) == 0) return argv[1];
  }
  return NULL;
}

static const char* Last(char** argv) {
  while (argv[1] != NULL) ++argv;
  return *argv;
}

// The file's name without folder and extension.
static void ProbeOf(const char* source, char* probe, size_t size) {
  const char* const slash = strrchr(source, '/');
  snprintf(probe, size, "%s", slash == NULL ? source : slash + 1);
  probe[strcspn(probe, ".")] = '\0';
}

// What to do to the probe; "" where nothing is said.
static void DeedFor(const char* program, const char* probe, char* deed, size_t size) {
  char path[4096], named[64], word[64];
  deed[0] = '\0';
  snprintf(path, sizeof path, "%s.conf", program);
  FILE* const file = fopen(path, "re");
  if (file == NULL) return;
  if (fscanf(file, "%63s %63s", named, word) == 2 && strcmp(named, probe) == 0) snprintf(deed, size, "%s", word);
  fclose(file);
}

static void HangForEver(void) {
  for (;;) pause();
}

// The child keeps the log open.
static void LeaveChild(int own_session) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0) abort();
  if (fork() == 0) {
    if (own_session) setsid();
    if (write(ready[1], "x", 1) != 1) abort();
    HangForEver();
  }
  if (read(ready[0], &byte, 1) != 1) abort();
}

// Tells whoever reads PROGRAM.ready, if anybody does.
static void Announce(const char* program) {
  char path[4096];
  snprintf(path, sizeof path, "%s.ready", program);
  const int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, "x", 1) != 1) abort();
  close(fd);
}

static void Crash(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  raise(SIGSEGV);
}

// 100 MB, unless the kernel ends it before.
static void Flood(void) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 100; ++i) {
    if (write(STDERR_FILENO, block, sizeof block) < 0) return;
  }
}

static int WriteOutput(const char* path) {
  FILE* const file = fopen(path, "we");
  if (file == NULL || fputs("output", file) < 0 || fclose(file) != 0) return 1;
  return 0;
}

int main(int argc, char** argv) {
  (void)argc;
  char probe[64], deed[64];
  ProbeOf(Last(argv), probe, sizeof probe);
  DeedFor(argv[0], probe, deed, sizeof deed);
  // With a child that no signal to the group reaches.
  if (strcmp(deed, "hang") == 0) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    LeaveChild(1);
    Announce(argv[0]);
    HangForEver();
  }
  if (strcmp(deed, "crash") == 0) Crash();
  if (strcmp(deed, "flood") == 0) Flood();
  if (strcmp(deed, "leave_child") == 0) LeaveChild(0);
  if (strcmp(deed, "leave_session") == 0) LeaveChild(1);
  if (strcmp(deed, "eagain") == 0) {
    fputs("gcc: fatal error: cannot execute 'cc1': vfork: Resource temporarily unavailable\n", stderr);
    return 1;
  }
  if (strcmp(deed, "no_output") == 0) return 0;
  // Those that come after it find no compiler any more.
  if (strcmp(deed, "vanish") == 0) unlink(argv[0]);
  const int links = After(argv, "-c") == NULL;
  if (strncmp(probe, "neg_", 4) == 0 && (links || strcmp(probe, "neg_link") != 0)) {
    fprintf(stderr, "%s.c:1:1: error: refused\n", probe);
    return 1;
  }
  return WriteOutput(After(argv, "-o"));
}
