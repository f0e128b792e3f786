import { useTexts } from "../../texts/texts";

// Shown in place of the camera's views where this page's server has no camera.
export function NoCamera() {
  const texts = useTexts();
  return (
    <main class="no-game">
      <h1>{texts.say("camera.state.none")}</h1>
      <p>{texts.say("camera.absent")}</p>
    </main>
  );
}
