// Menus close when something else is pressed, or with Escape, as people expect.
const open = () => [...document.querySelectorAll("details.menu[open]")];
document.addEventListener("click", (event) => {
  for (const menu of open()) {
    const chosen = event.target.closest(".sheet button") && menu.contains(event.target) && !event.target.closest(".drop");
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
