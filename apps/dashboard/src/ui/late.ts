import { useEffect, useSyncExternalStore } from 'react';

const delayMs = 3000;

/** What is loaded when it is first asked for, or else some seconds after the page. */
export class Late {
  private isWanted = false;
  private readonly listeners = new Set<() => void>();

  readonly want = (): void => {
    this.isWanted = true;
    for (const listener of this.listeners) listener();
  };

  /** Whether to render it. For one component. */
  use(): boolean {
    useEffect(() => {
      const timer = setTimeout(this.want, delayMs);
      return () => clearTimeout(timer);
    }, []);
    return useSyncExternalStore(this.subscribe, () => this.isWanted);
  }

  private readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
