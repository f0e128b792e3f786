import { useEffect } from "preact/hooks";

// Keeps the screen on while a game is shown, where the device allows it (only
// over TLS or on this machine). Browsers let go when the page is hidden.
export function useWakeLock(on: boolean): void {
  useEffect(() => {
    if (!on || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let left = false;
    const take = () => {
      if (document.hidden) return;
      navigator.wakeLock.request("screen").then(
        (taken) => (left ? void taken.release() : (lock = taken)),
        () => {
          // A battery that is nearly empty: the device decides.
        },
      );
    };
    take();
    document.addEventListener("visibilitychange", take);
    return () => {
      left = true;
      document.removeEventListener("visibilitychange", take);
      void lock?.release();
    };
  }, [on]);
}
