// Runs after textual.js: chooses the text's size, waits for the font, then starts the terminal.
"use strict";

(() => {
  const begin = window.onload; // textual.js's
  const query = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname); // the token is in the cookie now

  function textSize(element) {
    const asked = [query.get("fontsize"), localStorage.getItem("fontsize"), element.dataset.fontSize];
    const found = asked.map(Number).find((size) => size >= 6 && size <= 64);
    return found || (window.innerWidth < 600 ? 12 : 16);
  }

  window.onload = async (event) => {
    const terminal = document.getElementById("terminal");
    terminal.dataset.fontSize = textSize(terminal);
    terminal.dataset.sessionWebsocketUrl = "ws://" + location.host + "/ws";
    const styles = ["", "bold ", "italic "];
    await Promise.allSettled(styles.map((style) => document.fonts.load(`${style}16px "Roboto Mono"`)));
    begin(event);
    document.querySelector(".xterm-helper-textarea")?.focus();
    // Also where the page's own parts change their size, not only the window.
    new ResizeObserver(() => window.onresize()).observe(terminal);
  };

  window.addEventListener("DOMContentLoaded", () => {
    document.getElementById("again").addEventListener("click", () => location.reload());
    document.getElementById("keys").addEventListener("click", (event) => {
      const { key, size } = event.target.dataset;
      if (key) window.lasting?.type(KEYS[key] ?? key);
      if (size) {
        const now = Number(document.getElementById("terminal").dataset.fontSize);
        localStorage.setItem("fontsize", Math.max(6, Math.min(64, now + Number(size))));
        location.reload(); // the session stays
      }
    });
    // A tap on a key keeps the terminal's focus, and a phone's keyboard where it is.
    document.getElementById("keys").addEventListener("pointerdown", (event) => event.preventDefault());
  });
})();
