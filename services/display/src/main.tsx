import "./styles/main.css";
import { render } from "preact";
import { App } from "./app";
import { connectToOrigin } from "./live/client";
import { localStorageOrNone } from "./settings";

const root = document.getElementById("app");
if (root) render(<App services={connectToOrigin(localStorageOrNone())} />, root);

// Only in the built page: while developing, files change under the same name.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("./offline.js").catch(() => {
    // Served over the LAN without TLS there is none: the page works without.
  });
}
