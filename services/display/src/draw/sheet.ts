// A drawing while it is made: paths with a class each, in layers.
export interface Stroke {
  readonly className: string;
  readonly d: string;
}

// Collects paths by class, in drawing order.
export class Sheet {
  private readonly strokes: { className: string; parts: string[] }[] = [];

  // Starts a new path even when the class was used before.
  layer(...classNames: string[]): void {
    for (const className of classNames) this.strokes.push({ className, parts: [] });
  }
  add(className: string, d: string): void {
    for (let i = this.strokes.length - 1; i >= 0; --i) {
      const stroke = this.strokes[i]!;
      if (stroke.className === className) {
        stroke.parts.push(d);
        return;
      }
    }
    this.strokes.push({ className, parts: [d] });
  }
  done(): Stroke[] {
    return this.strokes
      .filter(({ parts }) => parts.length > 0)
      .map(({ className, parts }) => ({ className, d: parts.join("") }));
  }
}
