// Writes jobs to the database named by its argument, from several threads and until it is
// killed, and prints the number of each job once the store has acknowledged it.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "server/store/sqlite_job_store.h"
#include "tests/contract/store_examples.h"

int main(int argc, char** argv) {
  using namespace benchfleet;  // NOLINT
  if (argc != 3) return 2;
  const auto store = SqliteJobStore::Open({.path = argv[1]});
  if (!store.ok()) {
    std::fprintf(stderr, "%s\n", store.status().ToString().c_str());
    return 1;
  }
  std::atomic<int> next = std::atoi(argv[2]);
  const auto write_jobs = [&] {
    for (;;) {
      const int number = next++;
      const JobRecord job = TestJob(number);
      const absl::Status status = (*store)->Write("job", [&](StoreWriter& writer) {
        return writer.InsertJob(job, {TestRun(job, 0), TestRun(job, 1)});
      });
      if (!status.ok()) std::abort();
      const std::string line = absl::StrCat(number, "\n");
      if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::abort();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(write_jobs);
  for (std::thread& thread : threads) thread.join();
}
