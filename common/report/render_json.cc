#include <memory>
#include <string>

#include "common/report/render.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/type_resolver.h"
#include "google/protobuf/util/type_resolver_util.h"

namespace benchfleet {
namespace {

constexpr char kUrlPrefix[] = "type.googleapis.com";

// Keys of maps in order, which MessageToJsonString() does not promise.
std::string SerializeDeterministic(const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace

std::string RenderJson(const google::protobuf::Message& message) {
  const auto* type = message.GetDescriptor();
  const std::unique_ptr<google::protobuf::util::TypeResolver> resolver(
      google::protobuf::util::NewTypeResolverForDescriptorPool(kUrlPrefix, type->file()->pool()));
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Cannot fail: the bytes were written from this very type, and its strings are UTF-8.
  (void)google::protobuf::util::BinaryToJsonString(resolver.get(), std::string(kUrlPrefix) + "/" + type->full_name(),
                                                   SerializeDeterministic(message), &json, options);
  return json;
}

}  // namespace benchfleet
