// @ts-check
// The page on which a game is begun. It moves pieces of a set-up about, and asks the server whether the set-up is legal:
// it knows no rules.
const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const NS = "http://www.w3.org/2000/svg";

const waiting = $("waiting");
if (waiting) {
  const link = $("link"), copy = document.createElement("button");
  copy.type = "button"; copy.textContent = "Copy"; copy.id = "copy";
  copy.addEventListener("click", async () => { link.select(); await navigator.clipboard?.writeText(link.value); copy.textContent = "Copied"; });
  link.closest("p").append(copy);
  $("came").textContent = "Nobody has come yet. This page goes on when somebody does.";
  const stream = new EventSource(waiting.dataset.events);
  stream.onmessage = (e) => { stream.close(); $("came").textContent = "The game begins."; location.href = JSON.parse(e.data).next; };
  addEventListener("pagehide", () => stream.close());
}

/** What the server says of the squares and pieces. @type {any} */
const data = $("data") && JSON.parse($("data").textContent);
/** By square: which piece. @type {Record<string, string>} */
let on = {};
let picked = "", moved = false;
/** @type {string[]} from the front on the left to the back on the right, as they are read */
const squares = data ? Object.keys(data.squares).sort((a, b) => data.squares[a][1] - data.squares[b][1] || data.squares[a][0] - data.squares[b][0]) : [];
const text = () => squares.map((s) => `${s}:${on[s]}`).join(" ");
const name = (/** @type {string} */ s) => data.pieces[on[s]].name;
const square = (/** @type {string} */ s) => /** @type {any} */ ($("squares").querySelector(`[data-sq="${s}"]`));

/** Takes over the set-up that is chosen. */
function load() {
  const chosen = /** @type {any} */ (document.querySelector("input[name=setup]:checked"));
  on = Object.fromEntries(chosen.value.trim().split(/\s+/).map((/** @type {string} */ w) => w.split(":")));
  picked = ""; $("written").value = "";
  draw();
}

function draw() {
  $("pieces").innerHTML = squares.map((s) => `<g data-on="${s}" transform="translate(${data.squares[s].join(" ")})">${data.pieces[on[s]].svg}</g>`).join("");
  for (const s of squares) {
    square(s).setAttribute("aria-label", `${s}, ${name(s)}${s === picked ? ", chosen" : ""}`);
    square(s).classList.toggle("chosen", s === picked);
  }
}

/** @param {string} a @param {string} b */
async function exchange(a, b) {
  [on[a], on[b]] = [on[b], on[a]];
  picked = ""; draw();
  const now = text(), what = `${name(b)} to ${b}, ${name(a)} to ${a}.`;
  $("written").value = now;
  const { why } = await (await fetch(`${data.check}?${new URLSearchParams({ setup: now })}`)).json();
  if (now !== text()) return; // changed again meanwhile
  $("said").textContent = !why ? `${what} This set-up is legal.` : `${what} Not legal yet: ${why.replace(/^illegal set-up: /, "")}.`;
  $("said").classList.toggle("wrong", !!why);
  for (const b of /** @type {any} */ (document.querySelectorAll("#start button"))) b.disabled = !!why;
}

function choose(/** @type {string} */ s) {
  if (picked && picked !== s) return exchange(picked, s);
  picked = picked ? "" : s;
  $("said").textContent = picked ? `${name(s)} on ${s}: choose where it goes.` : "";
  draw();
}

/** The square nearest to a point of the screen. */
function under(/** @type {PointerEvent} */ e) {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform($("board").getScreenCTM().inverse());
  return { p, s: squares.find((s) => Math.abs(data.squares[s][0] - p.x) <= data.cell[0] / 2 && Math.abs(data.squares[s][1] - p.y) <= data.cell[1] / 2) };
}

if (data) {
  $("editor").hidden = false;
  for (const s of squares) {
    const a = document.createElementNS(NS, "g"), r = document.createElementNS(NS, "rect"), [x, y] = data.squares[s], [w, h] = data.cell;
    for (const [k, v] of Object.entries({ class: "hit", role: "button", tabindex: s === squares[0] ? "0" : "-1", "data-sq": s })) a.setAttribute(k, v);
    for (const [k, v] of Object.entries({ x: x - w / 2, y: y - h / 2, width: w, height: h })) r.setAttribute(k, String(v));
    a.append(r); $("squares").append(a);
  }
  load();
  for (const r of /** @type {any} */ (document.querySelectorAll("input[name=setup]"))) r.addEventListener("change", () => { load(); $("said").textContent = ""; for (const b of /** @type {any} */ (document.querySelectorAll("#start button"))) b.disabled = false; });

  let from = "";
  $("squares").addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => {
    if (e.button) return;
    from = under(e).s ?? ""; moved = false;
    if (from) { $("squares").setPointerCapture(e.pointerId); e.preventDefault(); square(from).focus({ preventScroll: true }); }
  });
  $("squares").addEventListener("pointermove", (/** @type {PointerEvent} */ e) => {
    if (!from) return;
    const { p, s } = under(e);
    if (!moved && s === from) return;
    moved = true;
    const g = /** @type {any} */ ($("pieces").querySelector(`[data-on="${from}"]`));
    g.setAttribute("transform", `translate(${p.x} ${p.y})`);
    if (g !== $("pieces").lastElementChild) $("pieces").append(g); // above all others
    for (const t of squares) square(t).classList.toggle("may", t === s && t !== from);
  });
  $("squares").addEventListener("pointerup", (/** @type {PointerEvent} */ e) => {
    const { s } = under(e), was = from;
    from = "";
    for (const t of squares) square(t).classList.remove("may");
    if (!was) return;
    if (moved && s && s !== was) exchange(was, s); else if (moved) draw(); else choose(was);
  });
  $("squares").addEventListener("pointercancel", () => { from = ""; draw(); });
  $("squares").addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => {
    const at = /** @type {any} */ (e.target).dataset.sq, [x, y] = data.squares[at];
    const way = /** @type {any} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] })[e.key];
    if (e.key === "Enter" || e.key === " ") { e.preventDefault(); return choose(at); }
    if (e.key === "Escape" && picked) return choose(picked);
    if (!way) return;
    e.preventDefault();
    // The nearest in that direction; what lies to the side counts thrice.
    const far = (/** @type {string} */ s) => { const dx = data.squares[s][0] - x, dy = data.squares[s][1] - y, ahead = dx * way[0] + dy * way[1]; return ahead > 0 ? ahead + 3 * Math.abs(dx * way[1] + dy * way[0]) : Infinity; };
    const next = squares.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (far(next) === Infinity) return;
    for (const s of squares) square(s).setAttribute("tabindex", s === next ? "0" : "-1");
    square(next).focus();
  });
}
