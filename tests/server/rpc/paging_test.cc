#include "server/rpc/paging.h"

#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

std::string FieldOf(const absl::Status& status) {
  const auto violations = FieldViolationsOf(status);
  return violations.size() == 1 ? violations[0].field : absl::StrCat(violations.size(), " fields");
}

TEST(Paging, SizesHaveADefaultAndALimit) {
  EXPECT_EQ(*ParsePageSize(0, 50), 50);
  EXPECT_EQ(*ParsePageSize(1, 50), 1);
  EXPECT_EQ(*ParsePageSize(kMaxPageSize, 50), kMaxPageSize);
  EXPECT_EQ(*ParsePageSize(kMaxPageSize + 1, 50), kMaxPageSize);
  EXPECT_EQ(FieldOf(ParsePageSize(-1, 50).status()), "page_size");
}

TEST(Paging, ATokenGoesOnWithItsOwnListOnly) {
  const std::string token = MakePageToken("position", "query");
  EXPECT_EQ(*ParsePageToken(token, "query"), "position");
  EXPECT_EQ(*ParsePageToken("", "query"), "");
  EXPECT_EQ(FieldOf(ParsePageToken(token, "another").status()), "page_token");
  for (const std::string& bad : {std::string("x"), std::string("!"), token + "!", std::string(2000, 'A')}) {
    EXPECT_EQ(FieldOf(ParsePageToken(bad, "query").status()), "page_token") << bad;
  }
}

using PagingTest = RpcTest;

TEST_F(PagingTest, WrongPagesAreNamed) {
  v1::ListSamplesRequest request;
  request.set_page_token(MakePageToken("x", "r\n\n"));
  request.set_run_id("r");
  grpc::ClientContext context;
  v1::ListSamplesResponse response;
  const absl::Status status = FromGrpc(users->ListSamples(&context, request, &response));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FieldOf(status), "page_token");
}

TEST_F(PagingTest, APageEndsBeforeItIsTooLargeForAClient) {
  constexpr int kJobs = 1000;
  ASSERT_TRUE(store
                  .Write("jobs",
                         [](StoreWriter& writer) {
                           for (int i = 0; i < kJobs; ++i) {
                             JobRecord job;
                             job.id = JobId(absl::StrCat("job-", 10'000 + i));
                             job.spec = SmallSpec();
                             for (int label = 0; label < 32; ++label) {
                               job.spec.labels[absl::StrCat("label-", label)] = std::string(63, 'x');
                             }
                             RunRecord run;
                             run.id = RunId(job.id.value() + "/0");
                             run.job_id = job.id;
                             run.end_reason = std::string(4000, 'x');
                             run.lease.state = RunState::kFailed;
                             job.state = JobState::kFailed;
                             if (auto s = writer.InsertJob(job, {run}); !s.ok()) return s;
                           }
                           return absl::OkStatus();
                         })
                  .ok());
  v1::ListJobsRequest request;
  request.set_page_size(kMaxPageSize);
  int jobs = 0;
  int pages = 0;
  std::string last = "z";
  do {
    grpc::ClientContext context;
    v1::ListJobsResponse response;
    ASSERT_TRUE(users->ListJobs(&context, request, &response).ok());
    for (const v1::Job& job : response.jobs()) {
      EXPECT_LT(job.id(), last);
      last = job.id();
    }
    jobs += response.jobs_size();
    ++pages;
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(jobs, kJobs);
  EXPECT_GT(pages, 2);
}

}  // namespace
}  // namespace benchfleet
