"""A page of viewers in a real browser, without a network."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:  # the other tests run without it
    from playwright.sync_api import Browser, Page

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
# WebGL on the processor, so that it runs where there is no graphics card.
SOFTWARE_GL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
OWN = ("file:", "data:", "blob:")
# Shared machines draw slowly; nothing here measures speed.
PATIENCE = 120_000

WIDE, NARROW = (1000, 600), (420, 800)
# Words that lie over the drawing.
NO_WORDS = ".caption, .flag { visibility: hidden }"

# Reading a pixel back waits for the drawing.
STEPPED = """async ([row, steps]) => {
    const viewer = viewers[row];
    const gl = viewer.k3d.getWorld().renderer.getContext();
    const [start, pixel] = [performance.now(), new Uint8Array(4)];
    let asked = 0;
    for (let i = 0; i < steps; i++) {
        const before = performance.now();
        await viewer.seek(i / (steps - 1));
        asked += performance.now() - before;
        await viewer.k3d.getWorld().render();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
    return [asked / steps, (performance.now() - start) / steps];
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; where there is none, say how to get it."""
    if not CHROMIUM.exists():
        raise FileNotFoundError(
            f"there is no browser at {CHROMIUM}: run tests/browser/install.sh, or set CHROMIUM to yours"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *SOFTWARE_GL])
        yield browser
        browser.close()


class ViewerPage:
    """A page opened from a file: its viewers, and all that went wrong."""

    def __init__(self, browser: Browser, path: Path, size: tuple[int, int] = WIDE) -> None:
        self.context = browser.new_context(offline=True, viewport={"width": size[0], "height": size[1]})
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))
        self.page.on("console", lambda word: word.type == "error" and self.faults.append(word.text))
        self.page.on("request", lambda asked: asked.url.startswith(OWN) or self.faults.append(asked.url))
        self.page.goto(path.resolve().as_uri())
        n_viewers = self.page.locator(".viewer").count()
        ready = "n => document.querySelectorAll('.viewer:not([data-state=waiting])').length === n"
        self.page.wait_for_function(ready, arg=n_viewers)
        assert self.page.locator(".viewer[data-state=failed]").all_inner_texts() == []
        self.viewers = [Viewer(self.page, i) for i in range(n_viewers)]

    def check(self) -> None:
        """Fail for every error in the console and every attempt to use the network."""
        found, self.faults = self.faults, []
        assert found == []

    def close(self) -> None:
        """Close it, and check it."""
        self.context.close()
        self.check()


class Viewer:
    """One viewer of a page, used as a person would."""

    def __init__(self, page: Page, row: int) -> None:
        self.page, self.row = page, row
        self.figure = page.locator(".viewer").nth(row)
        self.canvas = self.figure.locator(".canvas")
        self.slider = self.figure.locator("input[type=range]")
        self.boxes = self.figure.locator("input[type=checkbox]").all()
        self.are_on = [box.is_checked() for box in self.boxes]

    @property
    def time(self) -> float:
        """The time it shows."""
        return float(self.figure.get_attribute("data-time"))

    @property
    def is_playing(self) -> bool:
        """Does time go on by itself?"""
        return self._asks("viewer.playing")

    @property
    def stop(self) -> float | None:
        """The time of the first contact."""
        return self._asks("viewer.view.stop")

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last time."""
        return tuple(self._asks("viewer.view.span"))

    @property
    def panel(self) -> dict[str, str]:
        """What the tables beside the drawing say, row by row."""
        rows = self.figure.locator("aside tr").all()
        return dict(tuple(row.locator("td").all_inner_texts()) for row in rows)

    def reset(self) -> None:
        """Make it look as it did in the beginning."""
        for box, is_on in zip(self.boxes, self.are_on, strict=True):
            box.set_checked(is_on)
        self.press("Home")
        self.press("h")

    def seek(self, time: float) -> None:
        """Drag the slider to a time; it knows 15 digits."""
        self.slider.evaluate(
            "(slider, t) => { slider.value = t; slider.dispatchEvent(new Event('input')) }", time
        )
        self.settle()

    def press(self, key: str) -> None:
        """Press a key while the viewer has the focus."""
        self.figure.press(key)
        self.settle()

    def toggle(self, role: str) -> None:
        """Click the box that shows or hides what plays a role."""
        self.figure.locator(f"input[data-role={role}]").click()
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.wait_for_function(f"() => !viewers[{self.row}].busy")
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def wait_until_paused(self) -> None:
        """Wait until time stands still."""
        self.page.wait_for_function(f"() => !viewers[{self.row}].playing")
        self.settle()

    def pixels(self) -> np.ndarray:
        """The drawing, without the words over it: (height, width, 3) of 0 to 255."""
        before, now = None, self._screenshot()
        while not np.array_equal(before, now):  # what is still being drawn
            before, now = now, self._screenshot()
        return now

    def milliseconds_a_step(self, steps: int) -> tuple[float, float]:
        """How long it takes to go to another time, from one end to the other: asked for, and drawn."""
        return tuple(self.page.evaluate(STEPPED, [self.row, steps]))

    def _screenshot(self) -> np.ndarray:
        shot = self.canvas.screenshot(style=NO_WORDS, timeout=PATIENCE)
        return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)

    def _asks(self, expression: str) -> object:
        return self.page.evaluate(f"() => {{ const viewer = viewers[{self.row}]; return {expression} }}")


def share_changed(before: np.ndarray, after: np.ndarray) -> float:
    """Part of the pixels that differ visibly."""
    return float(np.mean(np.abs(before - after).max(axis=-1) > 24))


def share_drawn(pixels: np.ndarray) -> float:
    """Part of the pixels that differ from the background, which the corners show."""
    return share_changed(pixels, np.broadcast_to(pixels[2, 2], pixels.shape))


def share_red(pixels: np.ndarray) -> float:
    """Part of the pixels in the colour of contacts, in light or shade."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return float(np.mean((red > 90) & (red > 1.9 * green) & (red > 1.7 * blue)))
