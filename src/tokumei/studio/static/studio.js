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
