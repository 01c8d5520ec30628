"""A headless Chromium, driven through chromedriver's WebDriver protocol with the standard library only."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

CHROMEDRIVER = shutil.which("chromedriver")
CHROMIUM = shutil.which("chromium")
PATIENCE_SECONDS = 120  # a watch-dog, never a measure
PORT_LINE = re.compile(rb"started successfully on port (\d+)")

# Nothing but the pages under test: no updates, no first-run pages, no background talk.
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--force-color-profile=srgb"]


class Browser:
    """Use as a context manager."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="benchfleet-browser-")
        self.driver = subprocess.Popen([CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True)
        try:
            self.url = f"http://127.0.0.1:{self._port()}"
            options = {"binary": CHROMIUM, "args": [*ARGUMENTS, f"--user-data-dir={self.folder}/profile"]}
            capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                            "goog:loggingPrefs": {"browser": "ALL"}}
            session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.url += "/session/" + session["sessionId"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # The browser is in the driver's process group, whatever state both are in.
        try:
            if "/session/" in getattr(self, "url", ""):
                self._call("DELETE", "")
        except OSError:
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait(PATIENCE_SECONDS)
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _port(self):
        for line in self.driver.stdout:
            found = PORT_LINE.search(line)
            if found:
                return int(found.group(1))
        raise AssertionError("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"WebDriver {path}: {json.load(error)['value']['message']}") from None

    def open(self, url):
        """Loads a page; returns when it is complete."""
        self._call("POST", "/url", {"url": url})

    def run(self, script, *args):
        """Runs the body of a JavaScript function and returns what it returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def element(self, selector):
        """The first one that a CSS selector finds."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def click(self, element):
        self._call("POST", f"/element/{element}/click")

    def press_enter(self, element):
        self._call("POST", f"/element/{element}/value", {"text": "\ue007"})

    def devtools(self, command, **params):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)

    def colors(self, scheme):
        """'light' or 'dark', as the reader's system would ask for."""
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def console(self):
        """What the page said since the last call: [{level, message}]."""
        return self._call("POST", "/se/log", {"type": "browser"})

    def screenshot(self, whole_page=False):
        """PNG bytes of what is to be seen, or of all there is."""
        image = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole_page,
                              **({"clip": self._whole_page()} if whole_page else {}))
        return base64.b64decode(image["data"])

    def _whole_page(self):
        width, height = self.run("return [innerWidth, document.documentElement.scrollHeight]")
        return {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
