"""A client in another language, with nothing of ours but the server: python3-grpcio and reflection."""

import unittest
import uuid

import grpc
from google.protobuf import json_format

from fleet import Fleet, FleetTest
from reflection import Reflection


class ForeignClientTest(FleetTest):
    def setUp(self):
        self.fleet = Fleet()
        self.addCleanup(self.fleet.__exit__, None, None, None)
        self.fleet.start_server()
        self.channel = grpc.insecure_channel(self.fleet.grpc)
        self.addCleanup(self.channel.close)
        self.reflection = Reflection(self.channel)

    def call(self, service, method, request, streaming=False):
        descriptor = self.reflection.pool.FindServiceByName(service).methods_by_name[method]
        request_type = self.reflection.message(descriptor.input_type.full_name)
        response_type = self.reflection.message(descriptor.output_type.full_name)
        kind = self.channel.unary_stream if streaming else self.channel.unary_unary
        stub = kind(f"/{service}/{method}", request_serializer=request_type.SerializeToString,
                    response_deserializer=response_type.FromString)
        return stub(json_format.ParseDict(request, request_type()), timeout=120)

    def test_every_service_is_listed_and_described(self):
        services = self.reflection.services()
        for name in ("benchfleet.v1.BenchmarkService", "benchfleet.v1.WorkerService", "grpc.health.v1.Health"):
            self.assertIn(name, services)
            self.reflection.load(name)
            self.assertGreater(len(self.reflection.pool.FindServiceByName(name).methods), 0)

    def test_health(self):
        self.reflection.load("grpc.health.v1.Health")
        for service in ("", "benchfleet.v1.BenchmarkService", "benchfleet.v1.WorkerService"):
            answer = self.call("grpc.health.v1.Health", "Check", {"service": service})
            self.assertEqual(json_format.MessageToDict(answer), {"status": "SERVING"})
        with self.assertRaises(grpc.RpcError) as raised:
            self.call("grpc.health.v1.Health", "Check", {"service": "nobody"})
        self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)
        first = next(self.call("grpc.health.v1.Health", "Watch", {"service": ""}, streaming=True))
        self.assertEqual(json_format.MessageToDict(first), {"status": "SERVING"})

    def test_a_job_is_submitted_watched_and_read(self):
        self.fleet.start_worker()
        service = "benchfleet.v1.BenchmarkService"
        self.reflection.load(service)
        request = {"spec": {"method": {"rounds": 2}, "wake": {"loops": ["epoll"], "cases": ["frame.ready"]}},
                   "requestId": str(uuid.uuid4())}
        job = self.call(service, "CreateJob", request)
        self.assertEqual(self.call(service, "CreateJob", request).id, job.id, "the same request is the same job")

        events = list(self.call(service, "WatchJob", {"id": job.id}, streaming=True))
        self.assertEqual([e.event for e in events], list(range(1, len(events) + 1)))
        self.assertTrue(any(e.HasField("plan") for e in events))
        resumed = list(self.call(service, "WatchJob", {"id": job.id, "fromEvent": "3"}, streaming=True))
        self.assertEqual([e.event for e in resumed], [e.event for e in events[2:]])

        report = json_format.MessageToDict(self.call(service, "GetReport", {"jobId": job.id}),
                                           preserving_proto_field_name=True)
        self.assertEqual(report["job"]["state"], "succeeded")
        self.assertEqual({s["variant"] for s in report["summaries"]}, {"socket", "lookup", "counted"})

        samples, token = [], ""
        while True:
            page = self.call(service, "ListSamples", {"runId": f"{job.id}/0", "pageSize": 2, "pageToken": token})
            samples += page.samples
            token = page.next_page_token
            if not token:
                break
        self.assertEqual(len(samples), 9, "three arms, two rounds and one for warm-up")
        self.assertEqual(sum(s.warmup for s in samples), 3)
        self.assertTrue(all(len(s.sample.batch_ns) > 0 for s in samples))

    def test_errors_carry_the_path_of_every_wrong_field(self):
        service = "benchfleet.v1.BenchmarkService"
        self.reflection.load(service)
        with self.assertRaises(grpc.RpcError) as raised:
            self.call(service, "CreateJob", {"spec": {"method": {"rounds": 0}, "wake": {"cases": ["nap"]}}})
        self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
        details = dict(raised.exception.trailing_metadata())["grpc-status-details-bin"]
        for text in (b"spec.method.rounds", b"spec.wake.cases[0]", b"google.rpc.BadRequest", b"INVALID_FIELD",
                     b"benchfleet"):
            self.assertIn(text, details)
        self.assertEqual(len(self.call(service, "ListJobs", {}).jobs), 0)

    def test_lists_come_in_pages(self):
        service = "benchfleet.v1.BenchmarkService"
        self.reflection.load(service)
        made = [self.call(service, "CreateJob", {"spec": {"project": f"p{i % 2}", "wake": {}}}).id for i in range(5)]
        seen, token = [], ""
        while True:
            page = self.call(service, "ListJobs", {"pageSize": 2, "pageToken": token})
            seen += [job.id for job in page.jobs]
            token = page.next_page_token
            if not token:
                break
        self.assertEqual(seen, made[::-1], "newest first, each once")
        self.assertEqual(len(self.call(service, "ListJobs", {"project": "p0"}).jobs), 3)
        token = self.call(service, "ListJobs", {"pageSize": 2}).next_page_token
        for bad in ({"pageSize": -1}, {"pageToken": "!"}, {"pageToken": token, "project": "p1"}):
            with self.assertRaises(grpc.RpcError) as raised:
                self.call(service, "ListJobs", bad)
            self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT, bad)


if __name__ == "__main__":
    unittest.main()
