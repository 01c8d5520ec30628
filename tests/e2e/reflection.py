"""Messages and services of a running server, learnt by gRPC reflection as grpcurl does."""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


def _field(number, wire_type, payload):
    return bytes([number << 3 | wire_type, len(payload)]) + payload


def _fields(data):
    """The length-delimited fields of a message, by number: all that reflection's answers need."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 2:
            size = varint()
            yield key >> 3, data[at:at + size]
            at += size
        else:
            varint()


class Reflection:
    """Descriptors by asking the server, as grpcurl does."""

    def __init__(self, channel):
        self.call = channel.stream_stream(REFLECTION, request_serializer=bytes, response_deserializer=bytes)
        self.pool = descriptor_pool.DescriptorPool()
        self.known = set()

    def _ask(self, request):
        answer = next(iter(self.call(iter([request]))))
        return list(_fields(answer))

    def services(self):
        for number, value in self._ask(_field(7, 2, b"*")):
            if number == 6:  # list_services_response
                return [dict(_fields(service))[1].decode() for _, service in _fields(value)]
        return []

    def load(self, symbol):
        for number, value in self._ask(_field(4, 2, symbol.encode())):
            if number == 4:  # file_descriptor_response
                files = [descriptor_pb2.FileDescriptorProto.FromString(f) for _, f in _fields(value)]
                by_name = {f.name: f for f in files}
                for name in by_name:
                    self._add(name, by_name)
                return
            if number == 7:
                raise AssertionError(f"reflection does not know {symbol}")

    def _add(self, name, files):
        if name in self.known:
            return
        self.known.add(name)
        for dependency in files[name].dependency:
            if dependency in files:
                self._add(dependency, files)
        self.pool.Add(files[name])

    def message(self, name):
        return message_factory.MessageFactory(self.pool).GetPrototype(self.pool.FindMessageTypeByName(name))
