import { Component, h, type ComponentChild, type FunctionComponent } from "preact";

// Draws again only when a property has another value.
export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      return Object.keys({ ...before, ...after }).some((name) => before[name] !== after[name]);
    }
    override render() {
      return h(draw as FunctionComponent<P>, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
