// What few want before a game is over, as one file that is fetched then: offline.js leaves out of a
// first visit what begins with its name.
import "../../styles/story.css";

export { Export } from "../export";
export { Clips } from "./clips";
export { EvidenceLarge } from "./evidence_large";
export { Replay } from "./replay";
export { giveScorecard } from "./scorecard";
