import { useEffect, useState } from "preact/hooks";

// The time in milliseconds since 1970 by this device's clock, anew each second while `active`.
export function useNow(active = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
