#include <string>
#include <vector>

#include "common/report/grid.h"
#include "common/report/render.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/report/examples.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kMarkdown[] =
    R"(## job local: suite wake, project default, commit abc123, branch main, succeeded

**4 comparisons: 1 slower, 1 faster, 2 inconclusive**

### host lab-1, run local/0: succeeded

Example CPU @ 2.20GHz, kernel 6.1.0, load 0.12-0.50, 0 % of CPU time stolen, 9 rounds, schedule random, seed 42

Time per operation: median of the rounds (least-greatest round)

| case                                   |     |            socket |        lookup |
| -------------------------------------- | --- | ----------------: | ------------: |
| epoll/frame.ready                      | ns  |  80.2 (79.9-84.0) | 101 (100-104) |
| asyncio@3.11.2/frame.woken.same_thread | ns  | 4200 (4100-12346) | 950 (920-990) |

Comparisons, contender / base: ratio of times (95 % interval)

| contender / base                                              |               ratio |   change | verdict                        |
| ------------------------------------------------------------- | ------------------: | -------: | ------------------------------ |
| epoll/frame.ready, socket / lookup                            | 0.795 (0.781-0.812) |  -20.5 % | faster                         |
| asyncio@3.11.2/frame.woken.same_thread, socket / lookup       |  4.420 (4.300-12.5) | +342.0 % | slower                         |
| asyncio@3.11.2/frame.woken.same_thread / frame.ready, lookup  | 1.001 (no interval) |  +0.10 % | inconclusive (too few rounds)  |
| epoll/frame.ready counted / asyncio@3.11.2/frame.ready lookup |                   - |          | inconclusive (no common round) |

**1 measurement failed**

<pre>
round 3: epoll/frame.ready socket: timed_out: after 60 s
</pre>

<details><summary>What explains it, per operation</summary>

| Per operation                          |                      | socket | lookup |
| -------------------------------------- | -------------------- | -----: | -----: |
| epoll/frame.ready                      | lookups              |      0 |      2 |
| asyncio@3.11.2/frame.woken.same_thread | lookups              |      0 |      1 |
|                                        | socket bytes written |  0.333 |      0 |

</details>

<details><summary>Host and what was measured</summary>

| of   | fact        | value                 |
| ---- | ----------- | --------------------- |
| host | key         | hk1:ab                |
| host | cpu_model   | Example CPU @ 2.20GHz |
| host | cpus_online | 0-2,7                 |
| host | kernel      | 6.1.0                 |

</details>

faster, slower: the whole 95 % interval of the ratio lies below 1, above 1. same: it lies within the margin of 2 %. inconclusive: neither is shown; more rounds may show it.
)";

TEST(RenderMarkdown, HasEverything) { EXPECT_EQ(RenderMarkdown(ExampleReport()), kMarkdown); }

TEST(RenderMarkdown, FoldsWhatExplainsAndWhatCompilersAccept) {
  const std::string text = RenderMarkdown(CompileReport());
  EXPECT_THAT(text, HasSubstr("\n**16 comparisons: 4 slower, 8 faster, 4 inconclusive**\n"));
  EXPECT_THAT(text, HasSubstr(R"(
| link/j2, ms |  gfortran@12.2.0 |     flang@19.1.7 |
| ----------- | ---------------: | ---------------: |
| serial      | 1600 (1520-1760) | 3200 (3040-3520) |
| threads     |    800 (760-880) | 1600 (1520-1760) |
| event_loop  |    842 (800-926) | 1684 (1600-1853) |
)"));
  EXPECT_THAT(text, HasSubstr(R"(
**gfortran@12.2.0/link/j2: compiles 4, accepted 2, refused 2**

|            | cpu (s) | overhead (ms) | launch (µs) | longest (ms) | efficiency (%) | peak |
| ---------- | ------: | ------------: | ----------: | -----------: | -------------: | ---: |
| serial     |    1.50 |          12.5 |         512 |         94.1 |           46.9 |    1 |
)"));
  EXPECT_THAT(text, HasSubstr(R"(
<details><summary>What the compilers accept</summary>

| probe      | gfortran@12.2.0 (compile) | gfortran@12.2.0 (link) | flang@19.1.7 (compile) | flang@19.1.7 (link) |
| ---------- | ------------------------- | ---------------------- | ---------------------- | ------------------- |
| minimal    | yes                       | yes                    | yes                    | yes                 |
| f2023sinpi | yes \*                    | no \*                  | yes \*                 | no \*               |
| f2003pdt   | yes                       | yes                    | crash                  | crash               |

\* another mode of the same compiler answers otherwise

controls refused as they must: neg_syntax, neg_link

</details>
)"));
}

TEST(RenderMarkdown, AnEmptyReportIsAHeading) { EXPECT_EQ(RenderMarkdown(v1::Report()), "## job : \n"); }

TEST(RenderMarkdown, ARunWithoutAPlanSaysWhyAndNoMore) {
  ReportRunInput run;
  run.id = "j/0";
  run.state = RunState::kExpired;
  run.end_reason = "no worker matched pool=<lab>|x";
  const std::string text = RenderMarkdown(BuildReport(ExampleJob(), {run}));
  EXPECT_THAT(text, StartsWith("## job local: "));
  EXPECT_THAT(text, HasSubstr("\n\n### host (none yet), run j/0: expired: no worker matched pool=&lt;lab&gt;\\|x\n"));
  EXPECT_THAT(text, Not(HasSubstr("<details>")));
}

TEST(RenderMarkdown, NothingFromElsewhereLeavesItsPlace) {
  v1::Report report = ExampleReport();
  report.mutable_job()->set_branch("a</details>\n# b");
  report.mutable_summaries(0)->set_case_("x|y\n| z");
  report.mutable_runs(0)->set_failures(0, "</pre>\n\n# c & d");
  const std::string text = RenderMarkdown(report);
  EXPECT_THAT(text, HasSubstr("branch a&lt;/details&gt; \\# b, succeeded\n"));
  EXPECT_THAT(text, HasSubstr("\n| x\\|y \\| z "));
  EXPECT_THAT(text, HasSubstr("<pre>\n&lt;/pre&gt;  # c &amp; d\n</pre>\n"));
}

struct EscapeCase {
  const char* text;
  const char* markdown;
};

TEST(MarkdownText, EscapesWhatMeansSomething) {
  for (const EscapeCase& c : std::vector<EscapeCase>{
           {"", ""},
           {"gfortran@12.2.0/link/j2", "gfortran@12.2.0/link/j2"},
           {"process_pool_executor", "process_pool_executor"},
           {"_a_ b__c", "\\_a\\_ b\\_\\_c"},
           {"a|b", "a\\|b"},
           {"a\\|b", "a\\\\\\|b"},
           {"*a* ~b~ `c` [d](e) #1 $x$", "\\*a\\* \\~b\\~ \\`c\\` \\[d\\](e) \\#1 \\$x\\$"},
           {"<b>&amp;", "&lt;b&gt;&amp;amp;"},
           {"a\nb\r\tc", "a b  c"},
           {"\x1b[1m\xFF", " \\[1m?"},
       }) {
    EXPECT_EQ(MarkdownText(c.text), c.markdown) << c.text;
  }
}

TEST(GridToMarkdown, AlignsNumbersOnly) {
  Grid grid;
  grid.columns = {{"a|"}, {"n", "ms", Column::Kind::kNumber, 1}, {"v", "", Column::Kind::kVerdict, 2}};
  grid.rows = {{{"x"}, {"1"}, {"same", "(note)"}}};
  EXPECT_EQ(GridToMarkdown(grid),
            "| a\\| | n (ms) | v           |\n"
            "| --- | -----: | ----------- |\n"
            "| x   |      1 | same (note) |\n");
}

}  // namespace
}  // namespace benchfleet
