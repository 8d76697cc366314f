// Menus close when something else is pressed, or with Escape, as people expect.
const open = () => [...document.querySelectorAll("details.menu[open]")];
document.addEventListener("click", (event) => {
  for (const menu of open()) {
    const chosen = event.target.closest(".sheet button") && menu.contains(event.target) && !event.target.closest(".drop, .project");
    if (!menu.contains(event.target) || chosen) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of open()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Where the way between screens is wider than the page, the screen that is shown can be seen in it.
const show = () => {
  const here = document.querySelector(".screens a[aria-current]"), way = here?.parentElement;
  if (!way || way.scrollWidth <= way.clientWidth) return;
  const at = here.getBoundingClientRect(), frame = way.getBoundingClientRect();
  if (at.left < frame.left || at.right > frame.right) way.scrollLeft += at.left - frame.left - (frame.width - at.width) / 2;
};
new MutationObserver(show).observe(document.documentElement, { subtree: true, attributes: true, attributeFilter: ["aria-current"] });
addEventListener("resize", show);
addEventListener("load", show);

// Undo and redo by keyboard; where text is being written the browser's own undo is meant.
document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
  const at = document.activeElement;
  if (at?.matches("textarea, [contenteditable], input:not([type=checkbox]):not([type=radio]):not([type=range])")) return;
  event.preventDefault();
  const wanted = key === "y" || event.shiftKey ? "redo" : "undo";
  document.querySelector(`[data-key="${wanted}"]:not([aria-disabled])`)?.click();
});

// Terms of the glossary: what one means is shown when it is pointed at, reached by keyboard or tapped, and goes away with Escape.
// Those who listen hear the same, as the meaning describes the term, or the control whose label has it.
const DESCRIBED = "[aria-describedby*='term-'], [data-term]", WAIT = 200; // milliseconds
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true"); // it is heard as a description already
let about = null, later = 0;
const meant = (element) => (element.dataset.term ?? element.getAttribute("aria-describedby")).split(" ").filter((name) => name.startsWith("term-"));
function explain(element) {
  const said = meant(element).map((name) => document.getElementById(name)?.textContent).filter(Boolean);
  if (!said.length) return;
  about = element;
  tip.replaceChildren(...said.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  document.body.append(tip);
  tip.hidden = false;
  const words = element.matches(".term, a") ? element : element.closest("label")?.querySelector(".term") ?? element;
  const at = words.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const above = at.top - size.height - 6;
  tip.style.left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8)) + "px";
  tip.style.top = (above > 4 ? above : at.bottom + 6) + "px";
}
function hush() {
  clearTimeout(later);
  tip.hidden = true;
  about = null;
}
document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch" || tip.contains(event.target)) return clearTimeout(later);
  const element = event.target.closest?.(DESCRIBED);
  if (element && element === about) return clearTimeout(later);
  clearTimeout(later);
  if (element?.matches(".term, a")) later = setTimeout(explain, WAIT, element);
  else if (about && document.activeElement !== about) later = setTimeout(hush, WAIT);
});
document.addEventListener("focusin", (event) => {
  const element = event.target.closest?.(DESCRIBED);
  if (element && element.matches(":focus-visible")) explain(element);
});
document.addEventListener("click", (event) => {
  const element = event.target.closest?.("dfn.term");
  if (element) explain(element);
  else if (!tip.contains(event.target)) hush();
});
document.addEventListener("focusout", hush);
document.addEventListener("scroll", hush, { capture: true, passive: true });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hush(); });
