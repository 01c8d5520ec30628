#include "server/rpc/health_service.h"

#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

class HealthServiceTest : public RpcTest {
 protected:
  HealthServiceTest() : health_(Health::NewStub(channel)) {}

  grpc::Status Check(const std::string& service, HealthCheckResponse& response) {
    grpc::ClientContext context;
    SetWatchDog(context);
    HealthCheckRequest request;
    request.set_service(service);
    return health_->Check(&context, request, &response);
  }
  std::unique_ptr<grpc::ClientReader<HealthCheckResponse>> Watch(grpc::ClientContext& context,
                                                                 const std::string& service) {
    SetWatchDog(context);
    HealthCheckRequest request;
    request.set_service(service);
    return health_->Watch(&context, request);
  }

  const std::unique_ptr<Health::Stub> health_;
};

TEST_F(HealthServiceTest, TellsWhetherTheServerServes) {
  for (const char* service : {"", "benchfleet.v1.BenchmarkService", "benchfleet.v1.WorkerService"}) {
    HealthCheckResponse response;
    server->SetServing(false);
    ASSERT_TRUE(Check(service, response).ok()) << service;
    EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING) << service;
    server->SetServing(true);
    ASSERT_TRUE(Check(service, response).ok()) << service;
    EXPECT_EQ(response.status(), HealthCheckResponse::SERVING) << service;
  }
  HealthCheckResponse response;
  EXPECT_EQ(Check("another", response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(HealthServiceTest, AWatcherHearsOfChanges) {
  grpc::ClientContext context;
  const auto watch = Watch(context, "");
  HealthCheckResponse response;
  for (const bool serving : {false, true, false, true}) {
    server->SetServing(serving);
    ASSERT_TRUE(watch->Read(&response));
    EXPECT_EQ(response.status(), serving ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING);
  }
  context.TryCancel();
  EXPECT_EQ(watch->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

// The grace has no end: whoever is not told to go keeps the server.
TEST_F(HealthServiceTest, AStoppingServerEndsEveryWatch) {
  grpc::ClientContext known_context;
  grpc::ClientContext unknown_context;
  const auto known = Watch(known_context, "");
  const auto unknown = Watch(unknown_context, "another");
  HealthCheckResponse response;
  ASSERT_TRUE(known->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  ASSERT_TRUE(unknown->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVICE_UNKNOWN);
  server->SetServing(true);
  ASSERT_TRUE(known->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);

  std::thread stopper([this] { server->Stop(absl::InfiniteDuration()); });
  while (known->Read(&response)) EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(known->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_FALSE(unknown->Read(&response));
  EXPECT_EQ(unknown->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
}

}  // namespace
}  // namespace benchfleet
