#include "common/model/worker_name.h"

#include <string>

#include "common/model/selector.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

TEST(WorkerName, IsALowerCaseHostName) {
  for (const std::string& name : {std::string("a"), std::string("0"), std::string("build-host.example"),
                                  std::string("a..b"), std::string(kMaxWorkerNameBytes, 'n')}) {
    EXPECT_TRUE(IsWorkerName(name)) << name;
    EXPECT_TRUE(CheckLabelValue(name).ok()) << name;
  }
  for (const std::string& name : {std::string(), std::string("Host"), std::string("under_score"), std::string("a b"),
                                  std::string("-a"), std::string("a-"), std::string(".a"), std::string("a."),
                                  std::string("\xc3\xa4"), std::string(kMaxWorkerNameBytes + 1, 'n')}) {
    EXPECT_FALSE(IsWorkerName(name)) << name;
  }
}

TEST(WorkerName, TheLabelsOfWhatAWorkerIsAreBuiltIn) {
  for (const char* key : {"host", "arch", "os"}) EXPECT_TRUE(IsBuiltInLabel(key)) << key;
  for (const char* key : {"", "Host", "hosts", "rack"}) EXPECT_FALSE(IsBuiltInLabel(key)) << key;
}

}  // namespace
}  // namespace benchfleet
