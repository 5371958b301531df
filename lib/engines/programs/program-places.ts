import { isIn } from '@/lib/kernel/protected-folders'

/** Why a program waits: for one of the places of the server, or for the program before it in the same folder. */
export type WaitReason = 'server' | 'workspace'

/** The folder that a program works in. `isAlone`: it may write there, so none other runs in the folder, below it or around it. */
type Claim = { folder: string; isAlone: boolean }

type Waiting = { claim: Claim; begin: () => void }

/** Places for programs that run at once: so many in all, and one where it may write. The next ones wait in their order. */
export class ProgramPlaces {
  readonly #held = new Set<Claim>()
  readonly #waiting: Waiting[] = []

  constructor(readonly most: number) {}

  /**
   * Takes a place, and returns how to give it back. `onWait` is told why none is free at once. Rejects with the reason of the signal
   * when that aborts first.
   */
  async take(
    claim: Claim,
    signal: AbortSignal,
    onWait: (reason: WaitReason) => void,
  ): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#isFree(claim, this.#waiting)) this.#held.add(claim)
    else {
      onWait(this.#held.size < this.most ? 'workspace' : 'server')
      await this.#turn(claim, signal)
    }
    return () => {
      if (this.#held.delete(claim)) this.#next()
    }
  }

  #turn(claim: Claim, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason)
        this.#next()
      }
      const begin = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const waiting = { claim, begin }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** `before`: those that wait longer, who are not kept waiting by more that run in their folders. */
  #isFree(claim: Claim, before: readonly Waiting[]): boolean {
    const others = [...this.#held, ...before.map((each) => each.claim)]
    return this.#held.size < this.most && !others.some((other) => excludes(claim, other))
  }

  /** Begins those that can, in their order: one that waits for a folder does not hold up those of others. */
  #next(): void {
    for (const waiting of [...this.#waiting]) {
      const place = this.#waiting.indexOf(waiting)
      if (!this.#isFree(waiting.claim, this.#waiting.slice(0, place))) continue
      this.#waiting.splice(place, 1)
      this.#held.add(waiting.claim)
      waiting.begin()
    }
  }
}

function excludes(one: Claim, other: Claim): boolean {
  const overlaps = isIn(one.folder, other.folder) || isIn(other.folder, one.folder)
  return overlaps && (one.isAlone || other.isAlone)
}

/** Maximum programs that run at once in this process, for all callers together. */
export const mostPrograms = 4

let places: ProgramPlaces | undefined

/** Returns the places of this server. */
export function programPlaces(): ProgramPlaces {
  places ??= new ProgramPlaces(mostPrograms)
  return places
}
