"""The report page in a real browser: from a file, and as the coordinator serves it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from browser import CHROMEDRIVER, CHROMIUM, Browser
from fleet import BIN, SMALL_JOB, Fleet, FleetTest

SKIPPED = 77  # the exit code that ctest takes for a skipped test
SCREENSHOTS = BIN.parent / "report_screenshots"
DESKTOP = (1280, 900)
PHONE = (360, 740)
MIN_CONTRAST = 4.5  # WCAG 2, level AA
UNKNOWN_JOB = "01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12"

# arms and rounds of what example_report_pages writes
EXAMPLES = {"wake": (60, 18), "compile": (40, 9), "large": (240, 30)}

UNFOLD_ALL = "for (const folded of document.querySelectorAll('details')) folded.open = true;"

# Every text that can be seen whose colour is too near to what it stands on.
LOW_CONTRAST = """
const parse = color => {
  const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
  return {rgb: [r, g, b], a};
};
const over = (top, below) => ({rgb: top.rgb.map((c, i) => c * top.a + below.rgb[i] * (1 - top.a)), a: 1});
const behind = element => {
  if (!element) return {rgb: [255, 255, 255], a: 1};
  const own = parse(getComputedStyle(element).backgroundColor);
  return own.a === 1 ? own : over(own, behind(element.parentElement));
};
const luminance = ({rgb}) => {
  const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const seen = new Set(), bad = [];
let texts = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || ['SCRIPT', 'STYLE', 'title'].includes(element.tagName)) continue;
  if (!element.checkVisibility()) continue;
  ++texts;
  const style = getComputedStyle(element);
  const ground = behind(element);
  const ink = over(parse(element.tagName === 'text' ? style.fill : style.color), ground);
  const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
  const contrast = (high + 0.05) / (low + 0.05);
  const key = `${ink.rgb} on ${ground.rgb}`;
  if (contrast < arguments[0] && !seen.has(key)) {
    seen.add(key);
    bad.push(`${contrast.toFixed(2)}: ${key}: ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
}
return {texts, bad};
"""


def get(url):
    """Status, headers and body, whatever the status."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


class PageTest(FleetTest):
    """What holds for every report page; `self.browser` shows it."""

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())
        SCREENSHOTS.mkdir(exist_ok=True)

    def setUp(self):
        self.browser.colors("light")
        self.browser.size(*DESKTOP)

    def open_quietly(self, url):
        """Opens a page that may not complain and may not load anything besides itself."""
        self.browser.open(url)
        self.assert_quiet()
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map(r => r.name)"), [])

    def assert_quiet(self):
        self.assertEqual([entry for entry in self.browser.console() if entry["level"] in ("SEVERE", "WARNING")], [])

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def assert_plots(self, arms, rounds):
        self.assertEqual(self.count("svg.arm-rounds"), arms)
        self.assertEqual(self.count("svg.arm-rounds .rounds > circle, svg.arm-rounds .rounds > use"), arms * rounds)
        self.assertEqual(self.count("svg.arm-rounds .rounds title"), arms * rounds)
        # Drawn, not only there: every dot of an unfolded plot lies within it.
        outside = self.browser.run("""
            return [...document.querySelectorAll('details.case[open] svg.arm-rounds')].flatMap(svg => {
              const box = svg.getBoundingClientRect();
              return [...svg.querySelectorAll('.rounds > *')].map(dot => dot.getBoundingClientRect()).filter(dot =>
                !(dot.width > 3 && dot.left >= box.left && dot.right <= box.right + 3 && dot.top >= box.top &&
                  dot.bottom <= box.bottom));
            }).length""")
        self.assertEqual(outside, 0)

    def assert_readable(self):
        """In both colour schemes, which differ, everything unfolded."""
        grounds = []
        for scheme in ("light", "dark"):
            self.browser.colors(scheme)
            grounds.append(self.browser.run("return getComputedStyle(document.body).backgroundColor"))
            found = self.browser.run(UNFOLD_ALL + LOW_CONTRAST, MIN_CONTRAST)
            self.assertGreater(found["texts"], 10)
            self.assertEqual(found["bad"], [], scheme)
        self.assertNotEqual(*grounds)
        self.browser.colors("light")

    def assert_fits_a_phone(self):
        self.browser.size(*PHONE)
        self.browser.run(UNFOLD_ALL)
        self.assertEqual(self.browser.run("return [innerWidth, document.documentElement.scrollWidth]"), [PHONE[0]] * 2)
        self.browser.size(*DESKTOP)

    def keep_screenshots(self, name, url):
        """For people to look at; checked only for not being empty."""
        self.browser.open("about:blank")
        blank = len(self.browser.screenshot())
        for look, scheme, size in (("light", "light", DESKTOP), ("dark", "dark", DESKTOP), ("phone", "light", PHONE)):
            self.browser.colors(scheme)
            self.browser.size(*size)
            self.browser.open(url)
            self.assertGreater(len(self.browser.screenshot()), 4 * blank, look)
            (SCREENSHOTS / f"{name}-{look}.png").write_bytes(self.browser.screenshot(whole_page=True))


class FilePageTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="benchfleet-pages-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([BIN.parent / "tests" / "example_report_pages", cls.folder], check=True, timeout=60)

    def url(self, name):
        return (self.folder / f"{name}.html").as_uri()

    def test_every_round_of_every_arm_is_drawn(self):
        for name, (arms, rounds) in EXAMPLES.items():
            with self.subTest(name):
                self.open_quietly(self.url(name))
                self.assert_plots(arms, rounds)

    def test_texts_are_readable_in_both_colour_schemes(self):
        for name in ("wake", "compile"):
            with self.subTest(name):
                self.open_quietly(self.url(name))
                self.assert_readable()

    def test_a_phone_scrolls_downwards_only(self):
        for name in EXAMPLES:
            with self.subTest(name):
                self.open_quietly(self.url(name))
                self.assert_fits_a_phone()

    def test_screenshots(self):
        for name in ("wake", "compile"):
            with self.subTest(name):
                self.keep_screenshots(name, self.url(name))

    def column(self, caption, index):
        """Texts of a table's column, from top to bottom."""
        return self.browser.run("""
            const table = [...document.querySelectorAll('table')].find(t => t.caption.textContent === arguments[0]);
            return [...table.tBodies[0].rows].map(row => row.cells[arguments[1]].dataset.value ??
                                                         row.cells[arguments[1]].textContent);""", caption, index)

    def header(self, caption, index):
        """The button in a column's header, marked so that the driver finds it."""
        self.browser.run("""
            const table = [...document.querySelectorAll('table')].find(t => t.caption.textContent === arguments[0]);
            for (const marked of document.querySelectorAll('#under-test')) marked.removeAttribute('id');
            table.tHead.rows[0].cells[arguments[1]].querySelector('button').id = 'under-test';""", caption, index)
        return self.browser.element("#under-test")

    def sorting(self, caption):
        return self.browser.run("""
            const table = [...document.querySelectorAll('table')].find(t => t.caption.textContent === arguments[0]);
            return [...table.tHead.rows[0].cells].map(cell => cell.getAttribute('aria-sort'));""", caption)

    def test_a_header_sorts_its_table(self):
        caption = "Change of the median time, contender / base"
        self.open_quietly(self.url("wake"))
        plan_order = self.column(caption, 1)
        names = self.column(caption, 0)
        self.assertNotEqual(plan_order, sorted(plan_order, key=float))

        self.browser.click(self.header(caption, 1))
        self.assertEqual(self.column(caption, 1), sorted(plan_order, key=float))
        self.assertEqual(self.sorting(caption), [None, "ascending", None])
        self.browser.click(self.header(caption, 1))
        self.assertEqual(self.column(caption, 1), sorted(plan_order, key=float, reverse=True))
        self.assertEqual(self.sorting(caption), [None, "descending", None])
        self.browser.press_enter(self.header(caption, 0))
        self.assertEqual(sorted(self.column(caption, 0)), sorted(names))
        self.assertEqual(self.column(caption, 0)[-1], "epoll/handle_call.outside_loop")
        self.assertEqual(self.sorting(caption), ["ascending", None, None])
        self.assert_quiet()

    def test_all_cases_unfold_and_fold_again(self):
        self.open_quietly(self.url("wake"))
        self.assertEqual(self.count("details.case[open]"), 1)
        button = self.browser.element("button.fold")
        self.browser.click(button)
        self.assertEqual(self.count("details.case[open]"), 20)
        self.browser.click(button)
        self.assertEqual(self.count("details.case[open]"), 0)

    def test_a_link_unfolds_its_case(self):
        self.open_quietly(self.url("wake"))
        folded = "return document.querySelector('#run0-case7').parentElement.open"
        self.assertFalse(self.browser.run(folded))
        self.browser.click(self.browser.element("nav a[href='#run0-case7']"))
        self.assertTrue(self.browser.run(folded))

    def test_everything_is_there_without_script(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(self.url("wake"))
            self.assertEqual(self.count("button"), 0)
            self.assert_plots(*EXAMPLES["wake"])
            self.browser.click(self.browser.element("details.case:not([open]) > summary"))
            self.assertEqual(self.count("details.case[open]"), 2)
        finally:
            self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)

    def test_only_its_own_script_runs(self):
        page = (self.folder / "wake.html").read_text()
        changed = self.folder / "changed.html"
        changed.write_text(page.replace("</main>", "<script>document.title = 'taken over'</script></main>"))
        self.browser.open(changed.as_uri())
        self.assertNotEqual(self.browser.run("return document.title"), "taken over")
        self.assertIn("Content Security Policy", json.dumps(self.browser.console()))


class ServedPageTest(PageTest):
    def test_a_finished_job(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker()
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB, "--project", "demo"), 0)
            job_id = fleet.json("jobs")["jobs"][0]["id"]
            report = fleet.json("report", job_id)
            walls = [s for s in report["summaries"] if s["measure"] == "wall"]

            self.open_quietly(f"http://{fleet.http}/")
            self.assertEqual(self.browser.run("return [...document.querySelector('tbody tr').cells].slice(0, 4)"
                                              ".map(cell => cell.textContent)"), [job_id, "wake", "demo", "succeeded"])
            self.assert_readable()
            self.assert_fits_a_phone()
            self.browser.click(self.browser.element("tbody a"))

            url = f"http://{fleet.http}/jobs/{job_id}"
            self.assertEqual(self.browser.run("return location.href"), url)
            self.open_quietly(url)
            self.assert_plots(len(walls), walls[0]["rounds"])
            self.assertEqual(self.count("div.ratio"), len(report["comparisons"]))
            self.assertEqual(self.count("button.sort") > 0, True, "the script runs under the server's policy")
            self.assert_readable()
            self.assert_fits_a_phone()
            self.keep_screenshots("served", url)

            status, headers, _ = get(url)
            self.assertEqual((status, headers["Cache-Control"], headers["X-Content-Type-Options"]),
                             (200, "no-store", "nosniff"))
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertEqual(headers["Content-Security-Policy"],
                             self.browser.run("return document.querySelector('meta[http-equiv]').content"))

    def test_a_job_that_waits(self):
        with Fleet() as fleet:
            fleet.start_server()
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB, "--detach"), 0)
            job_id = fleet.json("jobs")["jobs"][0]["id"]
            self.open_quietly(f"http://{fleet.http}/jobs/{job_id}")
            self.assertEqual(self.browser.run("return document.querySelector('.badge').textContent"), "queued")
            self.assertEqual(self.count("meta[http-equiv=refresh]"), 1)
            self.assertIn("No figures yet", self.browser.run("return document.body.textContent"))

    def test_what_is_no_job(self):
        with Fleet() as fleet:
            fleet.start_server()
            for path, code, says in ((f"/jobs/{UNKNOWN_JOB}", 404, UNKNOWN_JOB), ("/jobs/nonsense", 400, "nonsense"),
                                     ("/jobs/", 400, "Not a job id")):
                with self.subTest(path):
                    status, headers, body = get(f"http://{fleet.http}{path}")
                    self.assertEqual(status, code)
                    self.assertIn(says, body)
                    self.assertIn("default-src 'none'", headers["Content-Security-Policy"])


if __name__ == "__main__":
    if CHROMEDRIVER is None or CHROMIUM is None:
        print("skipped: chromium and chromium-driver are not installed")
        sys.exit(SKIPPED)
    unittest.main()
