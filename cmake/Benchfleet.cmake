# The few rules every target follows.

add_library(bf_options INTERFACE)
target_include_directories(bf_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(bf_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
target_link_libraries(bf_options INTERFACE Threads::Threads)

# bf_library(NAME [SOURCES ...] [DEPS ...]): a static library; without sources, an interface.
function(bf_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC bf_options ${ARG_DEPS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE bf_options ${ARG_DEPS})
  endif()
endfunction()

# bf_executable(NAME [SOURCES ...] [DEPS ...])
function(bf_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE bf_options ${ARG_DEPS})
endfunction()

# bf_test(NAME [SERIAL] [LABEL label] [TIMEOUT seconds] [SOURCES ...] [DEPS ...]): one GoogleTest
# program, each of its tests a ctest. SERIAL: its tests share something outside the process.
function(bf_test name)
  cmake_parse_arguments(ARG "SERIAL" "LABEL;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE bf_options ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    BENCHFLEET_SOURCE_DIR="${CMAKE_SOURCE_DIR}" BENCHFLEET_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
    PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${ARG_SERIAL})
endfunction()
include(GoogleTest)

# bf_precompile_grpc(NAME): gRPC's headers are heavy, so what includes them precompiles them.
function(bf_precompile_grpc name)
  if(NOT BENCHFLEET_PCH)
    return()
  endif()
  target_precompile_headers(${name} PRIVATE <grpcpp/grpcpp.h>)
  # Without it ccache does not cache what uses a precompiled header of g++.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
