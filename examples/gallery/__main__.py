"""Make the pictures of the gallery again, and what its scripts print: `python examples/gallery [NAME ...]`.

Each script of examples/ runs with `--picture docs/images/gallery-NAME.png`; what it prints goes into
docs/gallery/NAME.md. The notebook is run, too, and photographed in a browser: that needs nbclient,
ipykernel, nbconvert, playwright and Chromium.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, PAGES, IMAGES = ROOT / "examples", ROOT / "docs" / "gallery", ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
PRINTED = re.compile(r"(?<=^```text\n).*?(?=^```$)", flags=re.MULTILINE | re.DOTALL)
# Software rendering, as machines without a screen have it.
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def run_script(name):
    """Run a script; keep its picture and what it prints."""
    command = [sys.executable, "-W", "error", EXAMPLES / f"{name}.py"]
    picture = IMAGES / f"gallery-{name}.png"
    done = subprocess.run(
        [*command, "--picture", picture], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    page = PAGES / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(PRINTED.sub(lambda _: done.stdout, text, count=1), encoding="utf-8")


def run_notebook(name):
    """Run the notebook, and photograph it."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    photograph(notebook, IMAGES / f"gallery-{name}.png")


def photograph(notebook, path):
    """Write a picture of a notebook that has run, from the cell with the viewer on."""
    from nbconvert import HTMLExporter
    from playwright.sync_api import sync_playwright

    page_text, _ = HTMLExporter().from_notebook_node(notebook)
    page_file = path.with_suffix(".html")
    page_file.write_text(page_text, encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1000, "height": 720})
            page.context.set_offline(True)
            page.goto(page_file.as_uri(), wait_until="domcontentloaded")
            page.locator("iframe").scroll_into_view_if_needed()
            page.wait_for_timeout(5000)
            page.frame_locator("iframe").get_by_role("button", name="contact").click()
            page.wait_for_timeout(3000)
            page.screenshot(path=path)
            browser.close()
    finally:
        page_file.unlink()


def main():
    """Make all, or those that are named."""
    scripts = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    for name in sys.argv[1:] or [*scripts, "notebook"]:
        print(name, flush=True)
        run_notebook(name) if name == "notebook" else run_script(name)


if __name__ == "__main__":
    main()
