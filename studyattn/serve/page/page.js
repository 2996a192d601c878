// Runs before textual.js, which opens its websocket in the page: it gets one that lasts. When the
// connection drops this one comes back to the same session and sends again what the server has not
// acknowledged; textual.js sees one socket that never closes.
"use strict";

const ENDED = 4000, TAKEN_OVER = 4001, REFUSED = 4003;
const OLDEST_ANSWER = 25000; // milliseconds without a word from the server: the line is dead
const MOUSE = "\x1b[<"; // how a terminal begins its reports of the mouse
const KEYS = { esc: "\x1b", tab: "\t", left: "\x1b[D", up: "\x1b[A", down: "\x1b[B",
  right: "\x1b[C", space: " ", enter: "\r" };

const page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16)).join("-");
const Plain = window.WebSocket;
window.lasting = null; // the only socket of the page

function tell(text, button = "") {
  const notice = document.getElementById("notice");
  document.getElementById("told").textContent = text;
  document.getElementById("again").textContent = button || "Start again";
  document.getElementById("again").hidden = !button;
  document.getElementById("logout").hidden = !button || !notice.dataset.learner;
  notice.hidden = !text;
}

class LastingSocket {
  constructor(url) {
    this.size = new URL(url).searchParams;
    this.listeners = { open: [], message: [], close: [] };
    this.pending = []; // what was typed and is not acknowledged: [number, text]
    this.number = 0;
    this.wait = 250;
    this.isReady = false;
    this.note = ""; // stays until the next key
    this.heard = Date.now();
    window.lasting = this;
    this.connect();
    setInterval(() => this.check(), 5000);
    for (const kind of ["online", "focus", "visibilitychange"])
      (kind === "visibilitychange" ? document : window).addEventListener(kind, () => this.check());
  }

  addEventListener(kind, listener) { this.listeners[kind].push(listener); }

  emit(kind, event) { for (const each of this.listeners[kind]) each(event); }

  connect() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.told = this.size.toString();
    const query = new URLSearchParams({ page, session: sessionStorage.getItem("session") || "",
      width: this.size.get("width"), height: this.size.get("height") });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const plain = new Plain(`${scheme}//${location.host}/ws?${query}`);
    plain.binaryType = "arraybuffer";
    plain.onmessage = (event) => this.plain === plain && this.receive(event);
    plain.onclose = (event) => this.plain === plain && this.lost(event);
    this.plain = plain;
    this.heard = Date.now();
  }

  receive(event) {
    this.heard = Date.now();
    if (typeof event.data !== "string") {
      tell(this.note);
      this.emit("message", event);
      return;
    }
    const [kind, value, taken] = JSON.parse(event.data);
    if (kind === "session") this.begin(value, taken);
    else if (kind === "taken") this.pending = this.pending.filter(([number]) => number > value);
    else if (kind === "ended") this.words = value;
    else if (kind === "refused") this.words = value;
    else if (kind !== "pong") this.emit("message", event);
  }

  begin(session, taken) {
    const isNew = sessionStorage.getItem("session") !== session;
    sessionStorage.setItem("session", session);
    if (isNew && this.wasOpen) {
      // Keys for an app that has ended must not reach another one.
      this.note = "Your session had ended: this is a new one." + this.unsent();
      this.pending = [];
    } else this.pending = this.pending.filter(([number]) => number > taken);
    this.wait = 250;
    this.isReady = true;
    if (this.told !== this.size.toString())  // resized while it connected
      this.post(["resize", { width: +this.size.get("width"), height: +this.size.get("height") }]);
    for (const [number, text] of this.pending) this.post(["stdin", text, number]);
    if (!this.wasOpen) {
      this.wasOpen = true;
      this.emit("open", {});
    }
    tell(this.note);
  }

  // What to say of keys that no app will get; the mouse's reports are none.
  unsent() {
    const isTyped = this.pending.some(([, text]) => !text.startsWith(MOUSE));
    return isTyped ? " What you typed after the connection was lost was not sent." : "";
  }

  lost(event) {
    this.isReady = false;
    const words = this.words || "";
    if (event.code === ENDED) {
      sessionStorage.removeItem("session");
      return this.over(words || "The session has ended.", "Start again");
    }
    if (event.code === TAKEN_OVER) return this.over("Another page shows this session.", "Show it here");
    if (event.code === REFUSED) return this.over(words, "Try again");
    tell("Connection lost. What you type is kept and sent when it is back.");
    this.timer = setTimeout(() => this.retry(), this.wait);
    this.wait = Math.min(2 * this.wait, 5000);
  }

  async retry() {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      const state = await fetch("/state", { cache: "no-store" });
      if (state.status === 403)
        return this.over("The server was restarted. Open the address that it printed."
          + this.unsent(), "Try again");
      if (state.status === 401)
        return this.over("You are no longer logged in." + this.unsent(), "Log in");
    } catch {
      // Nobody answers: the websocket fails, too, and is tried again.
    }
    if (!this.isOver) this.connect();
  }

  over(text, button) {
    this.isOver = true;
    tell(text, button);
  }

  check() {
    if (this.isOver) return;
    if (this.timer !== undefined) this.retry();
    else if (Date.now() - this.heard > OLDEST_ANSWER) {
      const dead = this.plain;
      this.plain = null;
      dead.close();
      this.lost({ code: 1006 });
    } else this.post(["ping", ""]);
  }

  post(message) {
    if (this.isReady && this.plain.readyState === Plain.OPEN) this.plain.send(JSON.stringify(message));
  }

  send(text) {
    const [kind, value] = JSON.parse(text);
    if (kind === "stdin") return this.type(value);
    if (kind === "resize") {
      this.size.set("width", value.width);
      this.size.set("height", value.height);
    }
    this.post([kind, value]);
  }

  type(text) {
    if (this.isOver) return;
    if (this.note && this.isReady && !text.startsWith(MOUSE)) tell(this.note = "");
    this.number += 1;
    this.pending.push([this.number, text]);
    this.post(["stdin", text, this.number]);
  }
}

window.WebSocket = LastingSocket;
