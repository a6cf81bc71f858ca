// Drives the viewers of a page: k3d draws, this moves time and shows or hides.
"use strict";

const MANY = 6; // things whose names would cover them
const TOGGLES = [
  ["body", "things", true],
  ["contact", "contact points", true],
  ["normal", "normals", true],
  ["feature", "features in contact", true],
  ["name", "names", true],
  ["ghost", "start and end", false],
  ["bound", "bounding boxes", false],
];

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function loadLibrary() {
  const source = await unpacked(document.getElementById("k3d").textContent);
  let library;
  new Function("define", source)((name, needs, make) => { library = make(); });
  return library;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

class Viewer {
  constructor(figure) {
    const [told, packed] = figure.querySelectorAll("script");
    this.figure = figure;
    this.view = JSON.parse(told.textContent);
    this.packed = packed.textContent;
    this.shown = Object.fromEntries(TOGGLES.map(([role, , on]) => [role, on]));
    if (this.view.things.length > MANY) this.shown.name = false;
    this.time = this.view.span[0];
    this.playing = false;
    this.speed = 1;
    packed.remove();
    this.build();
  }

  build() {
    const { figure, view } = this;
    figure.tabIndex = 0;
    const canvas = element("div", "canvas");
    this.target = element("div");
    this.flag = element("div", "flag");
    canvas.append(this.target, element("div", "caption", view.title), this.flag);
    figure.append(canvas, this.controls(), this.panel());
    figure.addEventListener("keydown", (event) => this.key(event));
  }

  controls() {
    const bar = element("div", "controls");
    const { span, stop, moments } = this.view;
    const [first, last] = span;
    if (!this.view.is_moving) {
      bar.append(element("span", "", "at one instant"), element("span", "track"));
    } else {
      this.button = element("button", "play", "▶");
      this.button.title = "play or pause (space)";
      this.button.onclick = () => this.toggle();
      const track = element("div", "track");
      this.slider = element("input");
      Object.assign(this.slider, { type: "range", min: first, max: last, step: "any", value: first });
      this.slider.setAttribute("aria-label", "time");
      this.slider.oninput = () => { this.pause(); this.seek(Number(this.slider.value)); };
      track.append(this.slider);
      for (const { time, label } of moments) {
        const tick = element("i", time === stop ? "stop" : "");
        const part = (time - first) / (last - first);
        tick.style.left = `calc(8px + ${part} * (100% - 16px))`;
        tick.title = label;
        track.append(tick);
      }
      this.readout = element("output");
      const speed = element("select", "speed");
      speed.title = "speed";
      for (const factor of [0.1, 0.25, 0.5, 1, 2]) speed.add(new Option(`${factor}×`, factor, factor === 1, factor === 1));
      speed.onchange = () => { this.speed = Number(speed.value); };
      bar.append(this.button, track, this.readout, speed);
      if (stop !== null) {
        const jump = element("button", "contact", "⟶ contact");
        jump.title = "go to the first contact (c)";
        jump.onclick = () => { this.pause(); this.seek(stop); };
        bar.append(jump);
      }
    }
    const home = element("button", "home", "⌂");
    home.title = "look at everything (h)";
    home.onclick = () => this.home();
    bar.append(home);
    return bar;
  }

  panel() {
    const side = element("aside");
    const rows = (heading, pairs, first) => {
      side.append(element("h3", "", heading));
      const table = element("table");
      for (const [name, value] of pairs) {
        const row = table.insertRow();
        const cell = row.insertCell();
        const thing = first && this.view.things.find((one) => one.name === name);
        if (thing) {
          const swatch = element("span", "swatch");
          swatch.style.background = thing.color;
          cell.append(swatch);
        }
        cell.append(name);
        row.insertCell().textContent = value;
      }
      side.append(table);
    };
    for (const [heading, pairs] of this.view.panel) rows(heading, pairs, heading === "Things");
    side.append(element("h3", "", "Show"));
    for (const [role, words] of TOGGLES) {
      if (!this.view.layers.some((layer) => layer.role === role)) continue;
      const label = element("label");
      const box = element("input");
      Object.assign(box, { type: "checkbox", checked: this.shown[role] });
      box.dataset.role = role;
      box.onchange = () => { this.shown[role] = box.checked; this.refresh(); };
      label.append(box, words);
      side.append(label);
    }
    return side;
  }

  async start(library) {
    const bytes = Uint8Array.from(atob(this.packed.trim()), (letter) => letter.charCodeAt(0));
    this.packed = null;
    this.k3d = await library.CreateK3DAndLoadBinarySnapshot(bytes, this.target);
    this.uncover();
    this.home();
    await this.seek(this.time);
    this.figure.dataset.state = "ready";
  }

  // Contacts are inside of what touches: let them be seen through it.
  uncover() {
    for (const { id, role } of this.view.layers) {
      if (role !== "contact" && role !== "normal") continue;
      this.k3d.getObjectById(id)?.traverse((part) => {
        if (part.material) Object.assign(part.material, { depthTest: false, transparent: true });
        part.renderOrder = 1;
      });
    }
  }

  home() {
    this.k3d.setCamera(this.view.camera);
    this.k3d.render(true); // even if it is drawing now
  }

  // Go to a time; while one is being drawn, only the last of those asked for in between is drawn next.
  async seek(time) {
    const [first, last] = this.view.span;
    this.time = Math.min(Math.max(time, first), last);
    this.tell();
    if (this.busy) { this.again = true; return; }
    this.busy = true;
    do {
      this.again = false;
      await this.k3d.setTime((this.view.duration * (this.time - first)) / (last - first || 1));
      this.refresh();
    } while (this.again);
    this.busy = false;
  }

  tell() {
    const { stop, unit, span } = this.view;
    if (this.slider) {
      this.slider.value = this.time;
      const digits = span[1] - span[0] > 2 ? 2 : 4;
      const early = Math.floor(this.time * 10 ** digits) / 10 ** digits; // rounded up it would be late
      this.readout.textContent = `${unit} = ${early.toFixed(digits)}`;
    }
    const touching = this.view.moments.filter(({ time }) => time <= this.time);
    this.flag.classList.toggle("on", stop !== null && this.time >= stop);
    if (touching.length) this.flag.textContent = touching[touching.length - 1].label;
    this.figure.dataset.time = this.time;
  }

  refresh() {
    for (const { id, role, since, until } of this.view.layers) {
      const drawn = this.k3d.getObjectById(id);
      const visible = this.shown[role] && since <= this.time && this.time <= until;
      if (drawn && drawn.visible !== visible) {
        drawn.visible = visible;
        if (!visible && drawn.hide) drawn.hide();
        if (visible && drawn.show) drawn.show();
      }
    }
    this.k3d.render(true);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  pause() {
    this.playing = false;
    if (this.button) this.button.textContent = "▶";
  }

  play() {
    const { span, stop } = this.view;
    const [first, last] = span;
    if (this.time >= last) this.time = first;
    this.playing = true;
    this.button.textContent = "❚❚";
    let before = null;
    const frame = async (now) => {
      if (!this.playing) return;
      const elapsed = before === null ? 0 : (now - before) / 1000;
      before = now;
      let next = this.time + (elapsed * this.speed * (last - first)) / this.view.seconds;
      const halts = stop !== null && this.time < stop && next >= stop;
      if (halts) next = stop;
      await this.seek(next);
      if (halts || next >= last) this.pause();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  key(event) {
    if (["INPUT", "SELECT"].includes(event.target.tagName) && event.key !== " ") return;
    const step = (this.view.span[1] - this.view.span[0]) / (event.shiftKey ? 1000 : 100);
    const actions = {
      " ": () => this.toggle(),
      ArrowRight: () => { this.pause(); this.seek(this.time + step); },
      ArrowLeft: () => { this.pause(); this.seek(this.time - step); },
      Home: () => { this.pause(); this.seek(this.view.span[0]); },
      End: () => { this.pause(); this.seek(this.view.span[1]); },
      c: () => { if (this.view.stop !== null) { this.pause(); this.seek(this.view.stop); } },
      h: () => this.home(),
    };
    const act = actions[event.key];
    if (!act || (!this.view.is_moving && event.key !== "h")) return;
    event.preventDefault();
    act();
  }
}

async function main() {
  const viewers = [...document.querySelectorAll(".viewer")].map((figure) => new Viewer(figure));
  window.viewers = viewers;
  try {
    const library = await loadLibrary();
    for (const viewer of viewers) await viewer.start(library);
  } catch (error) {
    for (const viewer of viewers) {
      if (viewer.figure.dataset.state === "ready") continue;
      viewer.figure.dataset.state = "failed";
      viewer.target.append(element("div", "message", `This browser cannot draw in 3-D (${error.message}).`));
    }
    throw error;
  }
}

main();
