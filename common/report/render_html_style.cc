#include "common/report/render_html_assets.h"

namespace benchfleet::html {

// Colours: blue and orange differ for every kind of colour vision, and each also has a
// shape and a word. Text has a contrast of at least 4.5 to what it stands on.
absl::string_view Style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --ink: #1b2026; --quiet: #56606b; --line: #dde1e6; --grid: #e9ecef;
  --link: #0b5cad; --good: #0b5cad; --bad: #a13f08; --dot: #2b6cb0;
  --interval: #2b6cb026; --margin: #5b657124; --focus: #0b5cad; --dot-opacity: 0.55;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151a; --panel: #191f26; --ink: #e3e7ec; --quiet: #a0abb7; --line: #2d3640; --grid: #242c35;
    --link: #82bdf8; --good: #82bdf8; --bad: #f3a768; --dot: #79b4ee;
    --interval: #79b4ee30; --margin: #a0abb72b; --focus: #82bdf8; --dot-opacity: 0.75;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 78rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 2rem; letter-spacing: -0.015em; }
h2 { font-size: 1.375rem; letter-spacing: -0.01em; }
h3 { font-size: 1.0625rem; margin: 2.25rem 0 0.75rem; }
h4 { font-size: 0.9375rem; margin: 1rem 0 0.25rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.15em; }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
code { font: 0.9em/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
small, .quiet, caption, figcaption, dt { color: var(--quiet); }
small { font-size: 0.8125rem; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.defs { position: absolute; width: 0; height: 0; }

/* The job and its runs */
.kicker { margin: 0 0 0.25rem; color: var(--quiet); font-size: 0.8125rem; letter-spacing: 0.04em; }
.project { font-weight: 400; color: var(--quiet); }
.badge {
  display: inline-block; padding: 0 0.6em; border: 1px solid currentColor; border-radius: 1em;
  font-size: 0.8125rem; font-weight: 500; line-height: 1.6; letter-spacing: 0; vertical-align: 0.1em; color: var(--quiet);
}
.badge.good { color: var(--good); }
.badge.bad, .failures > p { color: var(--bad); }
.failures { margin: 1rem 0; padding-left: 0.875rem; border-left: 3px solid var(--bad); }
.failures p, .failures ul { margin: 0; }
.failures ul { padding-left: 1.1rem; color: var(--quiet); overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 1rem 0; }
.facts dt { font-size: 0.8125rem; line-height: 1.35; }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.parts { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.25rem; margin: 0.5rem 0; }
.parts dd { margin: 0; overflow-wrap: anywhere; }
section.run { margin-top: 3rem; padding-top: 2rem; border-top: 1px solid var(--line); }
nav { margin-top: 2rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav .places { display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; }
nav .groups { margin: 0.4rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.25rem; }
nav .groups dd { margin: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; }
nav .host { margin: 1rem 0 0.25rem; font-weight: 600; }

/* Verdicts: a shape, a colour and a word each */
.mark { width: 14px; height: 14px; margin-right: 0.35em; overflow: visible; vertical-align: -0.12em; }
.mark use { transform: translate(7px, 7px); }
.faster { --verdict: var(--good); }
.slower { --verdict: var(--bad); }
.same, .inconclusive { --verdict: var(--quiet); }
.verdict { color: var(--verdict); white-space: nowrap; }
.mark, .ratio svg svg { fill: var(--verdict); stroke: var(--verdict); stroke-width: 1.5; stroke-linejoin: round; }
.mark.inconclusive, .ratio .inconclusive use { fill: var(--page); }
.tally { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.75rem 0; padding: 0; list-style: none; }
.tally b { font-variant-numeric: tabular-nums; }

/* Tables */
.scroll { position: relative; overflow-x: auto; margin: 1rem 0; max-width: 100%; }
table { border-collapse: collapse; font-size: 0.875rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.4rem; font-size: 0.8125rem; white-space: nowrap; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0; text-align: left; vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0.25rem; }
thead th { font-weight: 550; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody th { font-weight: 400; }
th:first-child { position: sticky; left: 0; background: var(--page); }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
tbody tr:hover > * { background: var(--panel); }
td, .number { white-space: nowrap; }
.number { text-align: right; }
tr.base th { font-weight: 600; }
tbody th a { white-space: nowrap; }
.sort { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
.sort::after { content: "\2195"; color: var(--quiet); font-size: 0.75em; padding-left: 0.3em; }
[aria-sort=ascending] .sort::after { content: "\2191"; color: inherit; }
[aria-sort=descending] .sort::after { content: "\2193"; color: inherit; }
.sort:hover { color: var(--link); }
.tables { display: flex; flex-wrap: wrap; gap: 0 3.5rem; align-items: flex-start; }
.outcome i { display: inline-block; width: 1.3em; font-style: normal; font-weight: 700; }
.outcome.accepted { color: var(--good); }
.outcome.refused { color: var(--quiet); }
.outcome.other { color: var(--bad); font-weight: 600; }

/* Cases */
.cases-head { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
.fold {
  font: inherit; font-size: 0.8125rem; color: var(--link); background: none; padding: 0.1rem 0.7rem;
  border: 1px solid var(--line); border-radius: 1em; cursor: pointer; white-space: nowrap;
}
.case { border-top: 1px solid var(--line); }
.case:last-of-type { border-bottom: 1px solid var(--line); }
.case > summary {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; padding: 0.6rem 0; cursor: pointer; list-style: none;
}
.case > summary::-webkit-details-marker { display: none; }
.case > summary::before {
  content: ""; width: 0.45rem; height: 0.45rem; margin: 0 -0.6rem 0 0.2rem; flex: none;
  border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
}
.case[open] > summary::before { transform: rotate(45deg) translate(-1px, -1px); }
.case > summary:hover { background: var(--panel); }
.case h4 { margin: 0; font-size: 1rem; font-weight: 600; }
.case .tally { margin: 0 0.5rem 0 auto; gap: 0.9rem; font-size: 0.875rem; }
.case-body { padding: 0 0 1.5rem; scroll-margin-top: 3.5rem; }
section, h3 { scroll-margin-top: 1rem; }
.more { margin: 0.75rem 0; }
.more > summary { cursor: pointer; color: var(--link); }

/* Plots: name, figures, drawing; the columns of all plots of a page agree */
.plot { margin: 1rem 0 1.5rem; }
figcaption { font-size: 0.8125rem; margin-bottom: 0.35rem; }
.rows { display: grid; grid-template-columns: 15rem 18.5rem minmax(0, 1fr); column-gap: 1rem; align-items: center; }
.name { overflow-wrap: anywhere; line-height: 1.3; font-size: 0.9rem; padding: 0.15rem 0; }
.name small { display: block; }
.figures {
  display: grid; grid-template-columns: 7.25rem 3.5rem 1fr; column-gap: 0.75rem; align-items: baseline;
  font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap;
}
.figures b { text-align: right; font-weight: 600; }
.tag { border: 1px solid var(--line); border-radius: 0.25rem; padding: 0 0.35em; font-size: 0.75rem; color: var(--quiet); }
.arm-rounds, .axis { display: block; width: 100%; overflow: visible; }
.arm-rounds { height: 36px; }
.ratio { position: relative; align-self: stretch; min-height: 30px; }
.ratio > svg { position: absolute; width: 100%; height: 100%; }
.ratio svg { overflow: visible; }
.axis { height: 22px; border-top: 1px solid var(--quiet); }
.axis-row { grid-column: 3; }
.axis text { font-size: 12px; fill: var(--quiet); text-anchor: middle; font-variant-numeric: tabular-nums; }
.axis .tick { stroke: var(--quiet); }
.ends { display: flex; justify-content: space-between; font-size: 0.75rem; color: var(--quiet); }
.grid { stroke: var(--grid); }
.rounds { fill: var(--dot); fill-opacity: var(--dot-opacity); }
.rounds .beyond { fill-opacity: 1; }
.interval { fill: var(--interval); }
.span { stroke: var(--dot); stroke-width: 1.5; }
.median { stroke: var(--ink); stroke-width: 2; }
.base { stroke: var(--quiet); }
.arm-rounds .base { stroke-dasharray: 3 3; }
.margin { fill: var(--margin); }
.one { stroke: var(--quiet); }
.whisker { stroke-width: 2; }
.key { color: var(--quiet); font-size: 0.875rem; max-width: 60rem; }

@media (max-width: 62rem) {
  .rows { grid-template-columns: minmax(0, 1fr); }
  .name { margin-top: 0.5rem; font-weight: 550; }
  .axis-row { grid-column: 1; }
}
@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.625rem; }
  .facts { gap: 0.5rem 1.5rem; }
  nav .groups { grid-template-columns: minmax(0, 1fr); }
  nav .groups dt { margin-top: 0.4rem; }
  .parts { grid-template-columns: minmax(0, 1fr); }
  .parts dt { margin-top: 0.4rem; }
  .tables { display: block; }
  th:first-child { min-width: 5rem; max-width: 9.5rem; overflow-wrap: anywhere; }
  tbody th a { white-space: normal; }
}
@media print {
  :root {
    --page: #ffffff; --panel: #ffffff; --ink: #000000; --quiet: #444444; --line: #bbbbbb; --grid: #dddddd;
    --link: #000000; --good: #0b5cad; --bad: #a13f08; --dot: #2b6cb0; --interval: #2b6cb026; --margin: #5b657124;
  }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  .sort::after, .fold, nav, .case > summary::before { display: none; }
  details::details-content { content-visibility: visible; display: block; }
  .plot, tr, .facts { break-inside: avoid; }
  .scroll { overflow: visible; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace benchfleet::html
