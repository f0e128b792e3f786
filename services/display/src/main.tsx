import "./styles/main.css";
import { render } from "preact";
import { App } from "./app";
import { connectToOrigin } from "./live/client";

const root = document.getElementById("app");
if (root) render(<App client={connectToOrigin()} />, root);
