// @ts-check
// The page of a game. What it knows came with the page (#data) or comes as events; it knows no rules. What it draws
// is what the server draws, from the same parts.
const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const film = JSON.parse($("data").textContent);
const FIRST_FACE = 0x100, UNKNOWN = "unknown piece";
film.plies.forEach((/** @type {any} */ p, /** @type {number} */ i) => { p.n = i + 1; p.text ??= p.short; });
for (const [k, all] of Object.entries(film.frames)) { // the first is whole, of the others there is what has changed
  /** @type {string[]} */
  let now = [];
  film.frames[k] = all.map((/** @type {string} */ f, /** @type {number} */ i) => {
    if (i === 0) now = [...f]; else for (let c = 0; c < f.length; c += 2) now[f.charCodeAt(c) - FIRST_FACE] = f[c + 1];
    return now.join("");
  });
}
let ply = film.ply, eye = film.eye, flipped = film.flip, chosen = -1, timer = 0;
let heat = film.heat ?? "", opinion = !!film.opinion;
/** By side, and whether by opinion: what was loaded, and came with the page. @type {Record<string, any>} */
const beliefs = film.known ?? {};
const knows = !!(film.beliefs || film.known);
let live = ply === film.plies.length;

/** @returns {[number, number]} where a square is drawn */
const at = (/** @type {number} */ q) => flipped ? [film.size[0] - film.squares[q].x, film.size[1] - film.squares[q].y] : [film.squares[q].x, film.squares[q].y];
const frames = () => film.frames[eye] ?? [];
/** The face on each square of a frame; -1: none. */
const faces = (/** @type {string} */ frame) => [...frame].map((c) => (c === "." ? -1 : c.charCodeAt(0) - FIRST_FACE));

function piece(/** @type {number} */ n, /** @type {number} */ q) {
  const f = film.faces[n], [x, y] = at(q);
  const shape = (f.side === 2) !== flipped ? `<g transform="rotate(180)">${f.shape}</g>` : f.shape;
  return `<g class="${`piece s${f.side} ${f.class}`.trim()}" transform="translate(${x} ${y})">${shape}${f.face}</g>`;
}

function trace(/** @type {number[] | undefined} */ squares) {
  if (!squares?.length) return "";
  const d = squares.map((q, i) => { const [x, y] = at(q); return squares.length === 1 ? `M${x} ${y}l0 0` : `${"ML"[Math.min(i, 1)]}${x} ${y}`; });
  return `<path class="trace" d="${d.join("")}"/>`;
}

/** All of a position, as the server draws it. */
function picture() {
  const on = faces(frames()[ply]);
  return film.land[flipped ? 1 : 0] + trace(film.plies[ply - 1]?.trace) + on.map((n, q) => (n < 0 ? "" : piece(n, q))).join("");
}

/** What the enemy of the piece on a square can know of it, if these eyes may ask. */
function believed(/** @type {number} */ q) {
  const f = film.faces[faces(frames()[ply])[q]];
  if (!f?.side) return undefined;
  const who = 3 - f.side, b = beliefs[who + (opinion ? "o" : "f")];
  if (!b || (eye !== "all" && eye !== String(who))) return undefined;
  return b.plies[ply]?.find((/** @type {any} */ o) => o.sq === q)?.p;
}
const percent = (/** @type {number} */ p) => (p === 255 ? "sure" : p * 100 < 255 ? "<1%" : p * 100 > 99 * 255 ? ">99%" : Math.floor((p * 200 + 255) / 510) + "%");
const kinds = () => film.kinds ?? [];

function heated() {
  const n = kinds().findIndex((/** @type {any} */ k) => k.letter === heat), [w, h] = film.cell.map((/** @type {number} */ c) => Math.trunc((c * 2) / 3));
  if (n < 0) return "";
  return faces(frames()[ply]).map((_, q) => {
    const p = believed(q)?.[n];
    if (!p) return "";
    const [x, y] = at(q), box = `x="${-Math.trunc(w / 2)}" y="${-Math.trunc(h / 2)}" width="${w}" height="${h}" rx="4"`;
    return `<g class="odds" transform="translate(${x} ${y})"><rect class="under" ${box}/><rect class="heat" ${box} fill-opacity="${Math.round(10 * Math.sqrt(p / 255)) / 10}"/><text>${percent(p).replace("<", "&lt;").replace(">", "&gt;")}</text></g>`;
  }).join("");
}

let asked = film.squares.findIndex((/** @type {any} */ s) => s.name === film.sq);
function table() {
  const odds = asked >= 0 ? believed(asked) : undefined, f = asked >= 0 ? film.faces[faces(frames()[ply])[asked]] : undefined;
  $("asked").textContent = odds ? `${film.players[f.side - 1]}’s on ${film.squares[asked].name}, as ${film.players[2 - f.side]} knows it` : "Choose a piece";
  const body = $("belief").querySelector("tbody");
  [...body.children].forEach((tr, n) => { tr.querySelector("rect").setAttribute("width", String(Math.round(((odds?.[n] ?? 0) * 1000) / 255) / 10)); tr.querySelector(".n").textContent = odds ? (odds[n] ? percent(odds[n]) : "–") : ""; });
  fog();
}

/** How much each side does not know, by ply. */
function fog() {
  const of = [1, 2].map((side) => beliefs[side + (opinion ? "o" : "f")]?.bits ?? []), most = Math.max(1, ...of.flat()), last = Math.max(1, film.plies.length);
  $("fog").hidden = !of.some((b) => b.length);
  of.forEach((b, n) => $("fog").querySelector(".f" + (n + 1)).setAttribute("d", b.map((/** @type {number} */ bits, /** @type {number} */ i) => `${"ML"[Math.min(i, 1)]}${((400 * i) / last).toFixed(1)} ${(82 - (80 * bits) / most).toFixed(1)}`).join("")));
  $("fog").querySelector(".now").setAttribute("d", `M${((400 * ply) / last).toFixed(1)} 0V84`);
  $("bits").replaceChildren(...of.flatMap((b, n) => {
    if (b[ply] === undefined) return [];
    const span = document.createElement("span");
    span.className = "f" + (n + 1); span.textContent = `${film.players[n]}: ${b[ply]} bits unknown`;
    return [span];
  }));
}

/** How many positions' beliefs are loaded at a time, and what is asked for. @type {Set<string>} */
const asking = new Set(), WINDOW = 40;
/** Loads what the eyes may ask for, once it is asked for. */
async function think() {
  const sides = [1, 2].filter((side) => film.eyes.includes(String(side)) && (eye === "all" || eye === String(side)));
  await Promise.all(sides.map(async (side) => {
    const key = side + (opinion ? "o" : "f"), known = (beliefs[key] ??= { plies: [], bits: [] });
    if (!film.beliefs || (!heat && asked < 0) || known.plies[ply]) return;
    let from = ply - (ply % WINDOW);
    while (known.plies[from]) from++;
    if (asking.has(key + from)) return;
    asking.add(key + from);
    const r = await fetch(`${film.beliefs}${side}?from=${from}&plies=${WINDOW - (from % WINDOW)}${opinion ? "&opinion=1" : ""}`).catch(() => undefined);
    asking.delete(key + from);
    if (!r?.ok) return;
    const more = await r.json();
    more.plies.forEach((/** @type {any} */ p, /** @type {number} */ i) => (known.plies[(more.from ?? 0) + i] = p));
    known.bits = more.bits;
  }));
  draw(); remember();
}

const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(2) + " s" + (film.limit_ms > 0 ? " / " + film.limit_ms / 1000 + " s" : "");
const count = (/** @type {number} */ at, /** @type {number} */ side) => faces(frames()[at]).filter((n) => n >= 0 && film.faces[n].side === side).length;

/** The pieces of a side that are gone, as the server draws them. */
function lost(/** @type {number} */ side) {
  const of = (/** @type {number} */ at) => faces(frames()[at]).filter((n) => n >= 0 && film.faces[n].side === side).map((n) => film.faces[n]);
  const then = of(0), now = of(ply), [w, h] = film.cell;
  /** @type {Record<string, number>} */
  const there = {};
  /** @type {Record<string, any>} */
  const gone = {};
  for (const f of now) there[f.face + f.shape] = (there[f.face + f.shape] ?? 0) + 1;
  let missing = then.length - now.length;
  for (const f of then) {
    const left = (there[f.face + f.shape] = (there[f.face + f.shape] ?? 0) - 1);
    if (left >= 0 || missing <= 0) continue;
    missing--;
    (gone["=" + f.face + f.shape] ??= { f, n: 0 }).n++;
  }
  return Object.values(gone).map(({ f, n }) =>
    `<svg class="board" role="img" aria-label="${n > 1 ? n + " × " : ""}${escaped(f.name)}" viewBox="${-Math.trunc(w / 2)} ${-Math.trunc(h / 2)} ${w} ${h}"><g class="${`piece s${f.side} ${f.class}`.trim()}" transform="translate(0 0)">${f.shape}${f.face}</g></svg>${n > 1 ? `<small aria-hidden="true">×${n}</small>` : ""}`).join("");
}
const escaped = (/** @type {string} */ s) => s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function status() {
  const end = film.end;
  const reason = end?.reason.replace(/\.$/, "");
  if (!frames().length) return end ? reason + "." : "The players set up their pieces.";
  if (end && ply === film.plies.length) return `After ${ply} plies: ${reason}.`;
  return ply ? told(ply) : "The beginning.";
}
/** What happened one move earlier than what the status says. */
function before() {
  if (!frames().length || !ply) return "";
  if (film.end && ply === film.plies.length) return told(ply);
  return ply > 1 ? told(ply - 1) : "";
}
function told(/** @type {number} */ n) {
  const p = film.plies[n - 1];
  return `${n}. ${film.players[p.side - 1]}: ${p.text}${pieces(n)}`;
}
/** The pieces of a move, as far as the eyes know them, as the server names them. */
function pieces(/** @type {number} */ n) {
  const trace = film.plies[n - 1].trace ?? [];
  if (trace.length !== 2) return "";
  const then = faces(frames()[n - 1]), mover = film.faces[then[trace[0]]], other = film.faces[then[trace[1]]], after = film.faces[faces(frames()[n])[trace[1]]];
  const known = (/** @type {any} */ f) => f && f.name !== UNKNOWN, kind = (/** @type {any} */ f) => f.name.split(",")[0];
  if (!mover || (!known(mover) && !known(other))) return "";
  if (other && after?.side !== mover.side) return ` (${kind(mover)} against ${kind(other)})`;
  const said = kind(mover) + (other ? " takes " + kind(other) : "") + (known(mover) && known(after) && kind(after) !== kind(mover) ? ", now " + kind(after) : "");
  return said.length === 1 ? "" : ` (${said})`;
}

function draw() {
  for (const [id, text] of [["before", before()], ["status", status()]]) if ($(id).textContent !== text) $(id).textContent = text;
  $("stage").classList.toggle("flipped", flipped);
  if (!frames().length) return;
  $("picture").innerHTML = picture();
  $("heated").innerHTML = heated();
  if (knows) {
    table();
    for (const a of /** @type {any} */ (document.querySelectorAll("#looks a, #minds a"))) (a.dataset.heat ?? "") === (heat || "–") || a.dataset.mind === (opinion ? "opinion" : "facts") ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
  }
  $("said").textContent = film.plies[ply - 1]?.said ?? "";
  const on = faces(frames()[ply]), legal = mayPlay() ? film.play.legal : [];
  for (const a of /** @type {any} */ ($("squares").children)) {
    const q = +a.dataset.sq, [x, y] = at(q), f = film.faces[on[q]], r = a.firstElementChild;
    r.setAttribute("x", x - Math.trunc(film.cell[0] / 2)); r.setAttribute("y", y - Math.trunc(film.cell[1] / 2));
    const may = chosen >= 0 && legal.some((/** @type {any} */ c) => c.from === chosen && c.to === q);
    a.setAttribute("aria-label", film.squares[q].name + (f ? `, ${f.name}${f.side ? " of " + film.players[f.side - 1] : ""}` : "") + (q === chosen ? ", chosen" : may ? ", can be reached" : ""));
    a.classList.toggle("chosen", q === chosen); a.classList.toggle("may", may);
  }
  for (const side of [1, 2]) {
    const seat = $("seat" + side), mine = film.plies.slice(0, ply).findLast((/** @type {any} */ p) => p.side === side);
    seat.querySelector(".left").textContent = `${count(ply, side)} of ${count(0, side)}`;
    const gone = lost(side);
    if (seat.querySelector(".lost").dataset.drawn !== gone) { seat.querySelector(".lost").innerHTML = gone; seat.querySelector(".lost").dataset.drawn = gone; }
    if (!(film.events && live && !film.end && film.mover === side)) seat.querySelector(".time").textContent = mine ? seconds(mine.ms) : "";
    const mover = film.plies[ply]?.side ?? film.mover;
    seat.classList.toggle("turn", mover === side && !(film.end && ply === film.plies.length));
  }
  $("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const a = $("moves").querySelector(`[data-ply="${ply}"]`);
  if (a) { a.setAttribute("aria-current", "true"); $("moves").scrollTop = a.offsetTop - $("moves").clientHeight / 2; }
  for (const a of /** @type {any} */ ($("eyes").querySelectorAll("a"))) a.dataset.eyes === eye ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
}

/** Lets the piece of the latest move slide to where it stands now. */
function slide() {
  const t = film.plies[ply - 1]?.trace;
  if (t?.length !== 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [x, y] = at(t[1]), [fx, fy] = at(t[0]);
  const g = [...$("picture").querySelectorAll(".piece")].find((e) => e.getAttribute("transform") === `translate(${x} ${y})`);
  g?.animate?.([{ transform: `translate(${fx}px, ${fy}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 180, easing: "ease-out" });
}

/** Writes what is shown into the address: when it has been so for a moment, as browsers refuse hundreds of changes within seconds. */
function remember() { clearTimeout(remembering); remembering = setTimeout(write, 200); }
let remembering = 0;
function write() {
  if (!film.base) return history.replaceState(null, "", "#" + ply);
  const q = new URLSearchParams();
  if (!film.events || !live) q.set("ply", String(ply));
  if (eye !== film.eyes[0]) q.set("eyes", eye);
  if (flipped) q.set("flip", "1");
  if (heat) q.set("heat", heat);
  if (knows && asked >= 0) q.set("sq", film.squares[asked].name);
  if (opinion) q.set("opinion", "1");
  history.replaceState(null, "", film.base + (q.size ? "?" + q : ""));
}

function go(/** @type {number} */ n) {
  const was = ply;
  ply = Math.max(0, Math.min(film.plies.length, n)); live = ply === film.plies.length; chosen = -1;
  draw(); if (ply === was + 1) slide(); remember();
  if (knows && (heat || asked >= 0)) think();
}
function flip() { flipped = !flipped; draw(); remember(); }
function look(/** @type {string} */ e) { if (film.eyes.includes(e)) { eye = e; remember(); think(); } }
function run() {
  if (timer) { clearInterval(timer); timer = 0; } else { if (ply === film.plies.length) go(0); timer = setInterval(() => { go(ply + 1); if (ply === film.plies.length) run(); }, 600); }
  $("run").setAttribute("aria-label", timer ? "Pause" : "Play"); $("run").querySelector("path").setAttribute("d", timer ? "M7 4v12M13 4v12" : "M6 4l10 6-10 6Z");
}

/** The nearest square in a direction, as it is drawn. */
function beside(/** @type {number} */ q, /** @type {number} */ dx, /** @type {number} */ dy) {
  const [x, y] = at(q);
  let best = -1, least = Infinity;
  film.squares.forEach((/** @type {any} */ _, /** @type {number} */ n) => {
    const [a, b] = at(n), along = (a - x) * dx + (b - y) * dy, off = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (along > 0 && along + 3 * off < least) { least = along + 3 * off; best = n; }
  });
  return best;
}

const mayPlay = () => film.play?.turn && !film.end && ply === film.plies.length;

async function send(/** @type {Record<string, string>} */ fields) {
  $("answer").textContent = "";
  const r = await fetch(film.play.action, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams({ ply: String(film.plies.length), ...fields }) });
  if (!r.ok) $("answer").textContent = (await r.json().catch(() => ({ error: r.statusText }))).error;
}

function choose(/** @type {number} */ q) {
  const legal = mayPlay() ? film.play.legal : [];
  const move = legal.find((/** @type {any} */ c) => c.to === q && (c.from === chosen || c.from === c.to));
  if (move) { chosen = -1; send({ move: move.move }); } else chosen = chosen === q ? -1 : q;
  const own = chosen >= 0 && film.play && !film.end && film.faces[faces(frames()[ply])[chosen]]?.side === film.play.side;
  if (knows && !own) { asked = chosen; think(); } else draw();
}

/** What has happened since: each event has all that is new, and a number. */
function take(/** @type {any} */ e) {
  if (e.film && !$("picture").childElementCount) return location.reload(); // the board itself is new
  if (e.film) { const had = film.eyes.length; Object.assign(film, e.film); if (film.eyes.length > had || !film.eyes.includes(eye)) eye = film.eyes[0]; if (live) ply = film.plies.length; list(); }
  if (e.ply) {
    if (e.ply.n !== film.plies.length + 1) return;
    film.faces.push(...(e.faces ?? [])); film.plies.push(e.ply); film.mover = e.mover;
    for (const [k, f] of Object.entries(e.frames)) film.frames[k].push(f);
    list();
  }
  if (e.play) Object.assign(film.play, e.play);
  if (e.end) film.end = e.end;
  if (film.play) form();
  if (e.ply && live) { chosen = -1; ply = film.plies.length; draw(); slide(); } else draw();
  if (knows && (heat || asked >= 0) && !document.hidden) think();
  if (e.ply || e.film) since = performance.now();
  if (e.end) renew();
  if (e.next) { clearTimeout(timer); setTimeout(() => { if (live) location.href = e.next; }, 4000); }
}

/** At the end everything may be seen: whose eyes there are, and what the page leads to. */
async function renew() {
  const r = await fetch(film.base).catch(() => undefined);
  if (!r?.ok) return;
  const now = new DOMParser().parseFromString(await r.text(), "text/html");
  for (const what of ["#eyes", ".links"]) {
    const old = /** @type {any} */ (document.querySelector(what)), fresh = /** @type {any} */ (now.querySelector(what));
    if (old && fresh) { old.replaceChildren(...fresh.childNodes); old.hidden = fresh.hidden; }
  }
  draw();
}

/** Since when somebody thinks, as far as this page has seen it. */
let since = performance.now();
function tick() {
  const mover = film.end || !frames().length || !live ? 0 : film.mover;
  if (mover && !document.hidden) $("seat" + mover).querySelector(".time").textContent = seconds(Math.floor((performance.now() - since) / 100) * 100).replace(/0 s/, " s") + " …";
}
if (film.events) setInterval(tick, 100);

/** Adds what the list of moves lacks. */
function list() {
  const have = $("moves").children.length;
  if (have > film.plies.length) $("moves").replaceChildren();
  for (const p of film.plies.slice($("moves").children.length)) {
    const li = document.createElement("li"), a = document.createElement("a");
    li.className = "s" + p.side; a.href = film.base + "?ply=" + p.n; a.dataset.ply = p.n; a.textContent = p.short;
    li.append(a); $("moves").append(li);
  }
}

/** @type {EventSource | undefined} */
let wanted;
function form() {
  const may = film.play.turn && !film.end;
  for (const e of $("play").elements) if (e.type !== "hidden") e.disabled = !(may || (e.id === "resign" && !film.end));
  $("again").hidden = !film.end;
  $("at").value = film.plies.length;
  if (film.end && film.play.person && !wanted) {
    wanted = new EventSource(film.play.rematch + "/events");
    wanted.onmessage = () => { wanted?.close(); $("wanted").textContent = "The other player wants to play again."; };
    addEventListener("pagehide", () => wanted?.close());
  }
  $("legal").replaceChildren(...(film.play.legal ?? []).map((/** @type {any} */ c) => { const o = document.createElement("option"); o.value = c.move; return o; }));
  if (document.activeElement === document.body && may) $("move").focus({ preventScroll: true });
}

/** @type {EventSource | undefined} */
let stream;
function follow() {
  if (stream || document.hidden || film.end) return;
  stream = new EventSource(film.events + "?after=" + (film.seq ?? 0));
  stream.onmessage = (e) => { if (+e.lastEventId <= (film.seq ?? 0)) return; film.seq = +e.lastEventId; take(JSON.parse(e.data)); if (film.end) stop(); };
}
function stop() { stream?.close(); stream = undefined; }
if (film.events) { follow(); document.addEventListener("visibilitychange", () => (document.hidden ? stop() : follow())); addEventListener("pagehide", stop); addEventListener("pageshow", follow); }

for (const [id, f] of Object.entries({ first: () => go(0), prev: () => go(ply - 1), next: () => go(ply + 1), last: () => go(1e9), run, flip }))
  $(id).addEventListener("click", (/** @type {Event} */ e) => { e.preventDefault(); f(); });
$("eyes").addEventListener("click", (/** @type {any} */ e) => { const a = e.target.closest("a"); if (a) { e.preventDefault(); look(a.dataset.eyes); } });
$("moves").addEventListener("click", (/** @type {any} */ e) => { const a = e.target.closest("a"); if (a) { e.preventDefault(); go(+a.dataset.ply); } });
$("squares").addEventListener("click", (/** @type {any} */ e) => { const a = e.target.closest("a"); if (a) { e.preventDefault(); choose(+a.dataset.sq); } });
$("play")?.addEventListener("submit", (/** @type {any} */ e) => {
  e.preventDefault();
  if (e.submitter?.id === "resign") { if (confirm("Resign this game?")) send({ resign: "yes" }); return; }
  send({ move: $("move").value }).then(() => { if (!$("answer").textContent) $("move").value = ""; });
});
if (knows) {
  $("looks").addEventListener("click", (/** @type {any} */ e) => { const a = e.target.closest("a"); if (a) { e.preventDefault(); heat = a.dataset.heat === "–" ? "" : a.dataset.heat; think(); } });
  $("minds").addEventListener("click", (/** @type {any} */ e) => { const a = e.target.closest("a"); if (a) { e.preventDefault(); opinion = a.dataset.mind === "opinion"; think(); } });
}
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
document.addEventListener("keydown", (e) => {
  const t = /** @type {any} */ (e.target), arrow = /** @type {any} */ (ARROWS)[e.key];
  if (e.ctrlKey || e.metaKey || e.altKey || t.matches?.("input, textarea, select")) return;
  const square = t.closest?.("#squares a");
  if (square && (arrow || e.key === " ")) { // in the board the arrows walk from square to square
    e.preventDefault();
    if (!arrow) return choose(+square.dataset.sq);
    const q = beside(+square.dataset.sq, arrow[0], arrow[1]);
    if (q >= 0) focusOn(q);
    return;
  }
  const f = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(1e9), f: flip, " ": run, 0: () => look("all"), 1: () => look("1"), 2: () => look("2") }[e.key];
  if (f && !(e.key === " " && t.matches?.("a, button"))) { e.preventDefault(); f(); }
});
function focusOn(/** @type {number} */ q) {
  for (const a of /** @type {any} */ ($("squares").children)) a.setAttribute("tabindex", +a.dataset.sq === q ? "0" : "-1");
  /** @type {any} */ ($("squares").children[q]).focus();
}
// One square takes part in the order of tabs; from there the arrows lead to all others.
[...$("squares").children].forEach((a, n) => a.setAttribute("tabindex", n === 0 ? "0" : "-1"));
if (!film.base && /^#\d+$/.test(location.hash)) ply = Math.min(film.plies.length, +location.hash.slice(1));
if (!film.base) addEventListener("hashchange", () => { if (/^#\d+$/.test(location.hash)) go(+location.hash.slice(1)); });
draw();
if (heat || asked >= 0) think();
if (film.play) form();
