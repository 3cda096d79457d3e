"use strict";
for (const box of document.querySelectorAll(".command")) {
  const command = box.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy this command");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
  box.append(button);
}
function unfold() {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const fold = target?.closest("details") ?? target?.querySelector(":scope > .more details");
  if (fold) { fold.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
unfold();
