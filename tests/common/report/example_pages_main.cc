// Writes the HTML of the example reports into a folder, for a browser.
#include <fstream>
#include <iostream>
#include <string>

#include "common/report/render.h"
#include "tests/common/report/example_reports.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: example_report_pages FOLDER\n";
    return 2;
  }
  const auto write = [&](const std::string& name, const benchfleet::v1::Report& report) {
    std::ofstream file(std::string(argv[1]) + "/" + name);
    file << benchfleet::RenderHtml(report);
    return file.flush().good();
  };
  const bool written = write("wake.html", benchfleet::ExampleWakeReport()) &&
                       write("compile.html", benchfleet::ExampleCompileReport()) &&
                       write("large.html", benchfleet::ExampleLargeReport(20, 12, 30));
  if (!written) std::cerr << "cannot write to " << argv[1] << "\n";
  return written ? 0 : 1;
}
