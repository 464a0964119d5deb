// What the browser does by itself: collects controls, keeps the link, saves pictures.
(function () {
  "use strict";
  const none = () => window.dash_clientside.no_update;
  const waits = {};
  let shown = null;

  // A link is read by the server; until then nothing is shown that it did not name.
  const asked = window.location.search;
  if (asked) document.documentElement.classList.add("asked");

  function query() {
    return asked || none();
  }

  function collect() {
    const state = {};
    const inputs = window.dash_clientside.callback_context.inputs_list;
    const restored = inputs.pop().value;
    if (asked && !restored) return none();
    inputs.forEach(({ id, value }) => {
      if (value !== null && value !== undefined && value !== "") state[id] = value;
    });
    for (const end of ["", "2"]) {
      if (state["kind" + end] === "gallery") state["text" + end] = state["pick" + end];
      delete state["pick" + end];
    }
    state.text = state.text || "";
    return state;
  }

  const differing = (state, plain) =>
    Object.entries(state).filter(([name, value]) => value !== plain[name]);

  // The link holds what differs from the first view.
  function show(state, plain) {
    const outputs = window.dash_clientside.callback_context.outputs_list;
    if (!state) return outputs.map(none);
    const query = new URLSearchParams(differing(state, plain)).toString();
    window.history.replaceState(null, "", "?" + query);
    const delta = Number((10 ** state.delta).toPrecision(3));
    const hidden = outputs.slice(2).map(({ id }) => id !== "view-" + state.view);
    if (state.view !== shown) window.setTimeout(() => window.dispatchEvent(new Event("resize")), 0);
    shown = state.view;
    return ["?" + query, `delta = ${delta}`, ...hidden];
  }

  const scripts = {};

  function script(address) {
    scripts[address] = scripts[address] || new Promise((done, failed) => {
      const element = Object.assign(document.createElement("script"), { src: address });
      element.addEventListener("load", () => done());
      element.addEventListener("error", () => {
        delete scripts[address];  // the next one who needs it tries again
        failed(new Error("not loaded: " + address));
      });
      document.head.append(element);
    });
    return scripts[address];
  }

  const painted = () => new Promise((done) =>
    window.requestAnimationFrame(() => window.setTimeout(done, 0)));

  const live = (children) => Boolean(children) && !(children.props || {}).className?.includes("stills");

  // What a view draws with is put into the page when the view is first seen: after a moment, so
  // that what is there already is painted first.
  async function mount(state, late, plain, ...there) {
    const slots = window.dash_clientside.callback_context.outputs_list.map(({ id }) => id);
    const now = slots.filter((id, i) => late[id].view === state.view && !live(there[i]));
    if (now.length) await painted();
    await Promise.all(now.flatMap((id) => late[id].scripts).map(script));
    const first = !differing(state, plain).length;
    return slots.map((id) =>
      now.includes(id) ? (first && late[id].first) || late[id].children : none());
  }

  const sorted = (state) => JSON.stringify(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1)));

  // A view learns what to show once it is there, and only while it is seen.
  function route(state, ...values) {
    const outputs = window.dash_clientside.callback_context.outputs_list;
    const [slots, seen] = [values.slice(0, outputs.length), values.slice(outputs.length)];
    return outputs.map(({ id }, i) => {
      const now = id === "seen-" + state.view && live(slots[i]);
      return now && !(seen[i] && sorted(seen[i]) === sorted(state)) ? state : none();
    });
  }

  // A person types letter by letter; the page waits until the hand rests.
  function wait(text) {
    const id = window.dash_clientside.callback_context.outputs_list.id;
    const turn = (waits[id] || 0) + 1;
    const first = waits[id] === undefined;
    waits[id] = turn;
    if (first) return text;
    return new Promise((done) =>
      window.setTimeout(() => done(waits[id] === turn ? text : none()), 250));
  }

  function boxes(kind) {
    return [kind === "gallery", kind !== "gallery"];
  }

  // A picture is Plotly's, or Cytoscape's where that one is out of sight.
  function pressed() {
    const context = window.dash_clientside.callback_context;
    const press = context.triggered_id;
    if (!press || !context.triggered[0].value) return {};
    const button = document.getElementById(JSON.stringify(press, Object.keys(press).sort()));
    const plots = Array.from(button.closest(".card").querySelectorAll(".js-plotly-plot"));
    const plot = plots.find((found) => !found.closest(".unseen"));
    return { plot, format: press.format, name: `ogeaug-${press.figure}` };
  }

  function save_plot() {
    const { plot, format, name } = pressed();
    if (!plot) return;
    const size = { width: plot.clientWidth, height: plot.clientHeight, scale: 2 };
    window.Plotly.downloadImage(plot, { format, filename: name, ...size });
  }

  function save_network(clicks, elements) {
    const { plot, format, name } = pressed();
    if (plot || !format) return none();
    if (format === "png") return { type: format, action: "download", filename: name };
    download(name + ".svg", networkSvg(elements));  // Cytoscape itself draws on a canvas
    return none();
  }

  function networkSvg(elements) {
    const nodes = new Map();
    elements.filter((part) => part.position).forEach((part) => nodes.set(part.data.id, part));
    const xs = Array.from(nodes.values(), (node) => node.position.x);
    const ys = Array.from(nodes.values(), (node) => node.position.y);
    const [left, top] = [Math.min(...xs) - 24, Math.min(...ys) - 24];
    const box = [left, top, Math.max(...xs) + 24 - left, Math.max(...ys) + 24 - top];
    const make = (name, attributes, text) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
      made.textContent = text || "";
      return made;
    };
    const svg = make("svg", { viewBox: box.join(" "), width: box[2], height: box[3] });
    elements.filter((part) => part.data.source).forEach(({ data }) => {
      const [a, b] = [nodes.get(data.source).position, nodes.get(data.target).position];
      svg.append(make("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, stroke: "#8A8F98" }));
    });
    nodes.forEach(({ data, position, classes }) => {
      const ring = classes ? { stroke: "#D81B60", "stroke-width": 4 } : { stroke: "#8A8F98" };
      svg.append(make("circle", { cx: position.x, cy: position.y, r: 14, fill: data.colour, ...ring }));
      const place = { x: position.x, y: position.y + 4, "text-anchor": "middle", "font-size": 11 };
      svg.append(make("text", { ...place, fill: data.ink, "font-family": "sans-serif" }, data.label));
    });
    return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  }

  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function theme(clicks) {
    const root = document.documentElement;
    const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    let now = root.dataset.theme || window.localStorage.getItem("ogeaug-theme") || system;
    if (clicks) {
      now = now === "dark" ? "light" : "dark";
      window.localStorage.setItem("ogeaug-theme", now);
    }
    root.dataset.theme = now;
    return now === "dark" ? "Light" : "Dark";
  }

  function draws(turn, shuffle, still, basis, renumber) {
    const press = window.dash_clientside.callback_context.triggered_id;
    if (press === "turn") return [(basis + 1) % 10000, none(), none()];
    if (press === "shuffle") return [none(), (renumber + 1) % 10000, none()];
    if (press === "still") return [0, 0, -9];
    return [none(), none(), none()];
  }

  const mostLetters = 2800000;  // of a file of 2 MiB in base64

  function upload(contents, name, before) {
    if (!contents) return [none(), none(), none()];
    if (contents.length > mostLetters) {
      const text = `${name} is too large: this page takes files of up to 2 MiB. ` +
        "ogeaug predict reads tables of any length";
      return [none(), text, "model"];
    }
    const number = before ? before.number + 1 : 1;  // the same file again is a new one
    return [{ contents, number }, "reading ...", "model"];
  }

  // A table waits until there is a place for it.
  function arrive(upload, place, before) {
    const fresh = upload && place && (!before || before.number !== upload.number);
    return fresh ? upload : none();
  }

  // A spreadsheet runs text that begins like a formula; an apostrophe keeps it text. Numbers stay.
  function cell(value) {
    const text = String(value ?? "");
    const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
    const safe = !number && /^\s*[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return `"${safe.replaceAll('"', '""')}"`;
  }

  // As it is seen: sorted and filtered.
  function export_csv(clicks, columns, rows) {
    const shown = (columns || []).filter(({ field }) => field !== "drawing");
    if (!clicks || !shown.length) return;
    const lines = [shown.map(({ headerName }) => cell(headerName))];
    (rows || []).forEach((row) => lines.push(shown.map(({ field }) => cell(row[field]))));
    const text = "\ufeff" + lines.map((line) => line.join(",") + "\r\n").join("");
    download("ogeaug.csv", new Blob([text], { type: "text/csv" }));
  }

  // The molecule and atom that can be changed; asked for anew when one of them is another.
  function edited(state, before) {
    const now = { text: state.text, node: state.node ?? null };
    const last = before || { node: null };
    const same = last.node === now.node && (now.node === null || last.text === now.text);
    const away = state.kind !== "smiles";
    return [same || away ? none() : now, away];
  }

  function take_edit(clicks, found) {
    const context = window.dash_clientside.callback_context;
    const press = context.triggered_id;
    if (!press || !context.triggered[0].value || !found[press.number]) return [none(), none(), none()];
    return ["smiles", ...found[press.number]];
  }

  function take_row(rows, columns) {
    const column = columns.find(({ context }) => context && context.molecules);
    if (!rows || !rows.length || !column) return [none(), none()];
    return ["smiles", rows[0][column.field]];
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    page: {
      query, collect, show, mount, route, wait, boxes, save_plot, save_network, theme, draws, upload,
      arrive, export_csv, take_row, edited, take_edit,
    },
  });
  const grid = (window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {});
  grid.Drawing = (props) => props.value ? window.React.createElement("img", {
    src: "drawing.svg?smiles=" + encodeURIComponent(props.value),
    alt: props.value, loading: "lazy", className: "molecule",
  }) : null;
  const helpers = (window.dashAgGridFunctions = window.dashAgGridFunctions || {});
  helpers.byNumber = (a, b) => (a === "" ? Infinity : Number(a)) - (b === "" ? Infinity : Number(b)) || 0;
})();
