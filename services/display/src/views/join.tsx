import { useMemo } from "preact/hooks";
import { qrOf } from "../draw/qr";
import { useTexts } from "../texts/texts";

// Only this machine can open such an address.
const isLoopback = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);

// How others get to this page: an address to type and the same to scan.
export function Join() {
  const texts = useTexts();
  const address = `${location.origin}${location.pathname}`;
  const rows = useMemo(() => qrOf(address), [address]);
  return (
    <details class="join card">
      <summary>{texts.say("join.title")}</summary>
      <div class="join-inside">
        {rows && (
          <svg class="qr" viewBox={`-4 -4 ${rows.length + 8} ${rows.length + 8}`} role="img" aria-label={texts.say("join.code", { address })}>
            <rect x="-4" y="-4" width={rows.length + 8} height={rows.length + 8} fill="#fff" />
            <path fill="#000" shape-rendering="crispEdges" d={rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1Z` : "")).join("")).join("")} />
          </svg>
        )}
        <div>
          <p class="join-address">{address}</p>
          <p class="note">{texts.say(isLoopback(location.host) ? "join.loopback" : "join.more")}</p>
        </div>
      </div>
    </details>
  );
}
