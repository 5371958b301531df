import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { RateLimitedError } from '../../kernel/errors'

// argon2id (the library's default) with the first choice of OWASP's password storage cheat sheet.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Of random bytes nobody kept. Checking against it takes as long as against a real one.
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$5/O3cOUB1krHPd4CZ7WnUQ$H58Gm0EATtgUhr6wpgH79vJauOkO7T7/nzHxc14CQbU'

/** `stranger` = a sign-in from where nobody signed in to this account before. Everyone else goes first. */
export type HashCaller = 'known' | 'stranger'

/**
 * Hashes the NFKC form: the same letters count however a keyboard composes them. At most 1,024 characters, which the
 * callers' schemas check.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn('known', () => hash(password.normalize('NFKC'), cost))
}

/**
 * Whether the password has this hash. `stored` null (no such account, or one without a password) takes the same time
 * and is always false. RateLimitedError when too many wait for their turn.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  caller: HashCaller = 'known',
): Promise<boolean> {
  const wanted = stored ?? nobodysHash
  const normalised = password.normalize('NFKC')
  let matches = await inTurn(caller, () => verify(wanted, normalised))
  // Hashes from before passwords were normalised. Asked whether or not there is an account: the time tells nothing.
  if (!matches && normalised !== password) {
    matches = await inTurn(caller, () => verify(wanted, password))
  }
  return stored !== null && matches
}

type Turns = { running: number; waiting: Record<HashCaller, (() => void)[]> }

// Actions and routes are separate bundles in one process: share the turns through globalThis.
const slot = Symbol.for('toolgate.hash-turns')
const shared = globalThis as { [slot]?: Turns }

/** Hashing takes a core each: one core stays free, however many sign in at once. */
const mostRunning = Math.max(1, availableParallelism() - 1)
const mostWaiting = { known: 200, stranger: 50 } as const satisfies Record<HashCaller, number>

async function inTurn<T>(caller: HashCaller, work: () => Promise<T>): Promise<T> {
  shared[slot] ??= { running: 0, waiting: { known: [], stranger: [] } }
  const turns = shared[slot]
  if (turns.running >= mostRunning) {
    const queue = turns.waiting[caller]
    if (queue.length >= mostWaiting[caller]) {
      throw new RateLimitedError(
        'Many people are signing in right now. Try again in a few seconds.',
        5,
      )
    }
    // Whoever ends hands its turn over, so that nobody can come in between.
    await new Promise<void>((resolve) => queue.push(resolve))
  } else turns.running += 1
  try {
    return await work()
  } finally {
    const next = turns.waiting.known.shift() ?? turns.waiting.stranger.shift()
    if (next) next()
    else turns.running -= 1
  }
}
