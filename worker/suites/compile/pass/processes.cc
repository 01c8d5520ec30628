#include <errno.h>
#include <poll.h>
#include <string.h>

#include <vector>

#include "worker/suites/compile/pass/helper.h"
#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

namespace {

class Processes final : public Strategy {
 public:
  Processes(const Workshop& workshop, int limit) : workshop_(workshop), helpers_(static_cast<size_t>(limit)) {}

  std::string Prepare() override {
    for (size_t i = 0; i < helpers_.size(); ++i) {
      if (!helpers_[i].Fork(workshop_)) return "cannot start helper " + std::to_string(i) + ": " + strerror(errno);
    }
    for (size_t i = 0; i < helpers_.size(); ++i) {
      if (std::string error = TakeReply(i); !error.empty()) return error;
    }
    // The idle ones are watched too: a helper that dies is missed at once.
    for (const Helper& helper : helpers_) watched_.push_back({helper.socket(), POLLIN, 0});
    return "";
  }

  std::string Run(size_t first, size_t end) override {
    next_ = first;
    end_ = end;
    busy_ = 0;
    for (size_t i = 0; i < helpers_.size(); ++i) {
      if (std::string error = GiveNext(i); !error.empty()) return error;
    }
    while (busy_ > 0) {
      if (::poll(watched_.data(), watched_.size(), -1) < 0) {
        if (errno == EINTR) continue;
        return std::string("cannot wait for the helpers: ") + strerror(errno);
      }
      for (size_t i = 0; i < helpers_.size(); ++i) {
        if (watched_[i].revents == 0) continue;
        if (std::string error = TakeReply(i); !error.empty()) return error;
        --busy_;
        if (std::string error = GiveNext(i); !error.empty()) return error;
      }
    }
    return "";
  }

 private:
  // To an idle helper, if there is more to do.
  std::string GiveNext(size_t helper) {
    if (next_ == end_) return "";
    if (!helpers_[helper].Give(next_, workshop_.commands.offset(next_))) return Death(helper);
    ++next_;
    ++busy_;
    return "";
  }

  std::string TakeReply(size_t helper) {
    int error = 0;
    if (!helpers_[helper].TakeReply(&error)) return Death(helper);
    return error == 0 ? "" : WaitFailure(helpers_[helper].compile(), error);
  }

  std::string Death(size_t helper) { return "helper " + std::to_string(helper) + " " + helpers_[helper].Obituary(); }

  const Workshop& workshop_;
  std::vector<Helper> helpers_;
  std::vector<pollfd> watched_;  // one for each helper
  size_t next_ = 0;
  size_t end_ = 0;
  size_t busy_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> MakeProcesses(const Workshop& workshop, int limit) {
  return std::make_unique<Processes>(workshop, limit);
}

}  // namespace benchfleet::compile_pass
