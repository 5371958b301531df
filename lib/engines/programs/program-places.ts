import { isIn } from '@/lib/kernel/protected-folders'

/** Why a program waits: for one of the places of the server, or for the program before it in the same folder. */
export type WaitReason = 'server' | 'workspace'

type Waiting = { folder: string | null; begin: () => void }

/**
 * Places for programs that run at once: so many in all, and one in a folder and what is below it. The next ones wait in their
 * order.
 */
export class ProgramPlaces {
  readonly #held = new Set<string>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  constructor(readonly most: number) {}

  /**
   * Takes a place, and returns how to give it back. `folder`: where it alone may write; null = nowhere. `onWait` is told why none is
   * free at once. Rejects with the reason of the signal when that aborts first.
   */
  async take(
    folder: string | null,
    signal: AbortSignal,
    onWait: (reason: WaitReason) => void,
  ): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#isFree(folder)) this.#hold(folder)
    else {
      onWait(this.#taken < this.most ? 'workspace' : 'server')
      await this.#turn(folder, signal)
    }
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      this.#taken -= 1
      if (folder !== null) this.#held.delete(folder)
      this.#next()
    }
  }

  #turn(folder: string | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const waiting = { folder, begin }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  #isFree(folder: string | null): boolean {
    if (this.#taken >= this.most) return false
    return (
      folder === null || ![...this.#held].some((held) => isIn(held, folder) || isIn(folder, held))
    )
  }

  #hold(folder: string | null): void {
    this.#taken += 1
    if (folder !== null) this.#held.add(folder)
  }

  /** Begins those that can, in their order: one that waits for a folder does not hold up those of others. */
  #next(): void {
    for (const waiting of [...this.#waiting]) {
      if (!this.#isFree(waiting.folder)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      this.#hold(waiting.folder)
      waiting.begin()
    }
  }
}

/** How many programs run at once in this process, whoever asked for them. */
export const mostPrograms = 4

// Actions, routes and the engine are separate bundles in one process, so they share one queue through globalThis.
const slot = Symbol.for('toolgate.program-places')
const shared = globalThis as { [slot]?: ProgramPlaces }

/** Returns the places of this server. */
export function programPlaces(): ProgramPlaces {
  shared[slot] ??= new ProgramPlaces(mostPrograms)
  return shared[slot]
}
