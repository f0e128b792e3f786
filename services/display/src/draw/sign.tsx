// A sign on a button, drawn about its middle; the button says in words what it does.
export const Sign = ({ d }: { d: string }) => (
  <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
    <path d={d} />
  </svg>
);
