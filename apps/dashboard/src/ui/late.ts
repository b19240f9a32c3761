import { useEffect, useSyncExternalStore } from 'react';

const delayMs = 3000;

/** A module that is loaded when it is first asked for, or else some seconds after the page. */
export class Late<Module> {
  private module: Module | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly load: () => Promise<Module>) {}

  /** Throws when it cannot be loaded; the next call tries again. */
  readonly get = async (): Promise<Module> => {
    if (this.module !== null) return this.module;
    this.module = await this.load();
    for (const listener of this.listeners) listener();
    return this.module;
  };

  /** Null until it is there. */
  use(): Module | null {
    useEffect(() => {
      const timer = setTimeout(() => void this.get().catch(() => undefined), delayMs);
      return () => clearTimeout(timer);
    }, []);
    return useSyncExternalStore(this.subscribe, () => this.module);
  }

  private readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
