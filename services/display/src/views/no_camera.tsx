import { useTexts } from "../texts/texts";

// What is done at a camera, where this page's server has none.
export function NoCamera() {
  const texts = useTexts();
  return (
    <main class="no-game">
      <h1>{texts.say("camera.state.none")}</h1>
      <p>{texts.say("camera.absent")}</p>
    </main>
  );
}
