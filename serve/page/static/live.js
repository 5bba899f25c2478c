// @ts-check
// A page of something that changes: when something has happened, what the server draws of it takes the place of what was there.
const live = /** @type {HTMLElement | null} */ (document.getElementById("live"));
/** @type {EventSource | undefined} */
let stream;

async function draw() {
  const answer = await fetch(live?.dataset.page ?? location.href, { headers: { Accept: "text/html" } }).catch(() => undefined); // the next event draws
  if (answer?.redirected) return location.assign(answer.url); // what was waited for is there
  const fresh = new DOMParser().parseFromString((await answer?.text().catch(() => "")) ?? "", "text/html").getElementById("live");
  if (!answer?.ok || !fresh || !live) return;
  const left = [...live.querySelectorAll(".scroll")].map((e) => e.scrollLeft);
  live.replaceChildren(...fresh.childNodes);
  live.dataset.seq = fresh.dataset.seq;
  [...live.querySelectorAll(".scroll")].forEach((e, n) => { e.scrollLeft = left[n] ?? 0; });
}

/** One stream a page, and none while nobody sees it. */
function follow() {
  stream?.close();
  stream = undefined;
  if (document.hidden || !live) return;
  stream = new EventSource(`${live.dataset.events}?after=${live.dataset.seq}`);
  stream.onmessage = draw;
}
document.addEventListener("visibilitychange", follow);
follow();
