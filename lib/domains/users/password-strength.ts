import { env } from '../../kernel/env'
import { ValidationError } from '../../kernel/errors'

/** zxcvbn's highest: 10,000,000,000 guesses or more, without the words of the person and the site. */
const requiredScore = 4

/** Judging takes longer the longer a password is; one that is weak so far does not get better by repeating it. */
const judgedCharacters = 64

export type PasswordOwner = { email: string; name: string }

/**
 * Throws ValidationError for `password`, with why and how to do better, when it is too easy to guess for this person
 * (SPEC A6). Takes some 20 ms, and a second for the first one in a process, which loads the word lists.
 */
export async function requireStrongPassword(
  password: string,
  owner: PasswordOwner,
  field = 'password',
): Promise<void> {
  const weakness = await weaknessOf(password, owner)
  if (weakness === null) return
  const advice = 'Use four or more unrelated words, or let a password manager create one.'
  throw new ValidationError({
    [field]: `This password is too easy to guess. ${weakness} ${advice}`,
  })
}

/** Why this password is easy to guess, in one sentence; null when it is not. */
async function weaknessOf(password: string, owner: PasswordOwner): Promise<string | null> {
  const words = wordsOf(owner)
  const rest = without(words, password.normalize('NFKC'))
  const { score, feedback } = (await estimator()).check(rest, words)
  if (score >= requiredScore) return null
  const isPersonal = rest.length < password.length && rest.trim().length < 12
  const reason = isPersonal ? 'userInputs' : feedback.warning
  return reasons.get(reason ?? '') ?? 'It is made of common words, names or numbers.'
}

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

/** What somebody who knows the person or the site tries first. */
function wordsOf({ email, name }: PasswordOwner): string[] {
  const { hostname } = new URL(env().TOOLGATE_URL)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const whole = [email, email.split('@')[0] ?? '', domain, name, name.replaceAll(' ', ''), hostname]
  const parts = [email, name, hostname].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  const words = [...whole, ...parts, 'toolgate'].map((word) => word.normalize('NFKC').toLowerCase())
  return [...new Set(words)].filter((word) => word.length > 2)
}

/** The password without these words: long ones wherever they are, short ones only where they stand alone. */
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

/** Loaded when the first password is chosen: the word lists take 60 MB, and most processes never judge one. */
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
