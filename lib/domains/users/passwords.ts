import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { env } from '@/lib/kernel/env'
import { ConflictError, RateLimitedError, ValidationError } from '@/lib/kernel/errors'
import { processState } from '@/lib/kernel/process-state'
import { withoutPhrases } from './known-phrases'

/** Returns whether anybody signs in with a password here; TOOLGATE_PASSWORD_SIGN_IN says so. */
export function passwordSignInIsOn(): boolean {
  return env().TOOLGATE_PASSWORD_SIGN_IN === 'on'
}

/** Refuses a password, or a link to set one, where sign-in with a password is off. */
export function requirePasswordSignIn(): void {
  if (passwordSignInIsOn()) return
  throw new ConflictError(
    'Passwords are switched off here (TOOLGATE_PASSWORD_SIGN_IN). People sign in through the identity provider.',
  )
}

// argon2id (the library's default) with the first choice of OWASP's password storage cheat sheet.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// The hash of random bytes that were not stored. Checking against it takes as long as against a real one.
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$5/O3cOUB1krHPd4CZ7WnUQ$H58Gm0EATtgUhr6wpgH79vJauOkO7T7/nzHxc14CQbU'

/** `stranger` = a sign-in from a place where nobody signed in to this account before. All others are served first. */
export type HashCaller = 'known' | 'stranger'

/**
 * Hashes the NFKC form: the same letters count however a keyboard composes them. At most 1,024 characters, which the
 * callers' schemas check.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn('known', () => hash(password.normalize('NFKC'), cost))
}

/**
 * Hashes a random code as slowly as a password. With one salt for all codes of an account, a code is found by its hash;
 * no two random codes are equal, so nobody learns anything from equal hashes.
 */
export function hashCode(code: string, salt: Uint8Array): Promise<string> {
  return inTurn('known', () => hash(code, { ...cost, salt }))
}

/**
 * Returns whether the password has this hash. `stored` null (no such account, or one without a password) takes the same
 * time and is always false. Throws RateLimitedError when too many wait for their turn.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  caller: HashCaller = 'known',
): Promise<boolean> {
  const wanted = stored ?? nobodysHash
  const normalised = password.normalize('NFKC')
  let matches = await inTurn(caller, () => verify(wanted, normalised))
  // For hashes from before passwords were normalised. Compared even without an account, so that the time shows
  // nothing.
  if (!matches && normalised !== password) {
    matches = await inTurn(caller, () => verify(wanted, password))
  }
  return stored !== null && matches
}

type Turns = { running: number; waiting: Record<HashCaller, (() => void)[]> }

const turnsOfProcess = processState<Turns>(() => ({
  running: 0,
  waiting: { known: [], stranger: [] },
}))

/** Each hash needs a core. One core stays free, however many people sign in at once. */
const mostRunning = Math.max(1, availableParallelism() - 1)
const mostWaiting = { known: 200, stranger: 50 } as const satisfies Record<HashCaller, number>

async function inTurn<T>(caller: HashCaller, work: () => Promise<T>): Promise<T> {
  const turns = turnsOfProcess.value
  if (turns.running >= mostRunning) {
    const queue = turns.waiting[caller]
    if (queue.length >= mostWaiting[caller]) {
      throw new RateLimitedError(
        'Many people are signing in right now. Try again in a few seconds.',
        5,
      )
    }
    // A finished hash passes its turn to the next one, so that no other can take it.
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

/** zxcvbn's highest: 10,000,000,000 guesses or more, without the words of the person and the site. */
const requiredScore = 4

/** Only this many characters are rated, because rating takes longer for longer passwords. */
const judgedCharacters = 64

type PasswordOwner = { email: string; name: string }

/**
 * Throws ValidationError for `password`, with why and how to do better, when it is too easy to guess for this person
 * (SPEC A6). Takes some 20 ms, and a second for the first one in a process, which loads the word lists.
 */
export async function requireStrongPassword(
  password: string,
  owner: PasswordOwner,
  site = env().TOOLGATE_URL,
): Promise<void> {
  const weakness = await weaknessOf(password, wordsOf(owner, site))
  if (weakness === null) return
  const advice = 'Use four or more unrelated words, or let a password manager create one.'
  throw new ValidationError({
    password: `This password is too easy to guess. ${weakness} ${advice}`,
  })
}

/** Says why this password is easy to guess, in one sentence; null when it is not. */
async function weaknessOf(password: string, words: string[]): Promise<string | null> {
  const normalised = password.normalize('NFKC')
  const unquoted = withoutPhrases(normalised)
  const rest = without(words, unquoted)
  const { score, feedback } = (await estimator()).check(rest, words)
  if (score >= requiredScore) return null
  if (unquoted.length < normalised.length && rest.trim().length < 12) return ofPhrases
  const isPersonal = rest.length < password.length && rest.trim().length < 12
  const reason = isPersonal ? 'userInputs' : feedback.warning
  return reasons.get(reason ?? '') ?? 'It is made of common words, names or numbers.'
}

const ofPhrases = 'It is a well-known phrase, or a part of one.'

const reasons: ReadonlyMap<string, string> = new Map([
  ['straightRow', 'It follows a row of keys on the keyboard.'],
  ['keyPattern', 'It follows a row of keys on the keyboard.'],
  ['simpleRepeat', 'It repeats the same characters.'],
  ['extendedRepeat', 'It repeats the same characters.'],
  ['sequences', 'It contains a sequence such as "abc" or "123".'],
  ['recentYears', 'It contains a year.'],
  ['dates', 'It contains a date.'],
  ['topTen', 'It is on the lists of common passwords.'],
  ['topHundred', 'It is on the lists of common passwords.'],
  ['common', 'It is on the lists of common passwords.'],
  ['similarToCommon', 'It is close to a common password.'],
  ['wordByItself', 'It is mostly a single word.'],
  ['namesByThemselves', 'It is mostly a name.'],
  ['commonNames', 'It is mostly a name.'],
  ['userInputs', 'It is mostly your name, your e-mail address or the name of this site.'],
])

/** Returns what somebody who knows the person or the site tries first. */
function wordsOf({ email, name }: PasswordOwner, site: string): string[] {
  const { hostname } = new URL(site)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const whole = [email, email.split('@')[0] ?? '', domain, name, name.replaceAll(' ', ''), hostname]
  const parts = [email, name, hostname].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  const words = [...whole, ...parts, 'toolgate'].map((word) => word.normalize('NFKC').toLowerCase())
  return [...new Set(words)].filter((word) => word.length > 2)
}

/** Returns the password without these words: long ones wherever they are, short ones only where they stand alone. */
function without(words: readonly string[], password: string): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replace(patternOf(word), ''), password)
}

function patternOf(word: string): RegExp {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const alone = `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`
  return new RegExp(word.length > 3 ? escaped : alone, 'giu')
}

type Estimator = {
  check: (
    password: string,
    words: string[],
  ) => { score: number; feedback: { warning: string | null } }
}

let loaded: Promise<Estimator> | undefined

/** Loads it when the first password is chosen: the word lists take 60 MB, and most processes never judge one. */
function estimator(): Promise<Estimator> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: judgedCharacters,
    // Passwords full of digits and symbols would take seconds.
    l33tMaxSubstitutions: 20,
  })
}
