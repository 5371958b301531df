import { knownPrograms } from './shared/known-programs'
import { wordsIn } from './shared/program-rules'

type Rules = { first: string | null; subcommands: string | null; refused: string | null }

/** Rules that keep those of a program and add the suggested ones; `weakness`: how they were weaker, as a sentence. */
export type StrongerRules = { rules: Rules; weakness: string }

/** Returns the rules of a stored program made as strong as the suggested ones; null = they are, or Toolgate suggests none. */
export function strongerRules(program: Rules & { name: string }): StrongerRules | null {
  const suggested = knownPrograms.find(({ name }) => name === program.name)
  if (suggested === undefined) return null
  const first = union(suggested.first, program.first)
  const refused = union(program.refused, suggested.refused)
  const subcommands = narrowed(program.subcommands, suggested.subcommands)
  const weaknesses = [
    lacking(suggested.first, program.first, 'does not always get'),
    subcommands !== program.subcommands && 'accepts more first arguments',
    lacking(suggested.refused, program.refused, 'does not refuse'),
  ].filter((each) => each !== false)
  if (weaknesses.length === 0) return null
  return {
    rules: { first, subcommands, refused },
    weakness: `Toolgate suggests stronger rules now: with these, ${program.name} ${weaknesses.join('; it ')}.`,
  }
}

function union(begin: string | null, more: string | null): string | null {
  return [...new Set([...wordsIn(begin), ...wordsIn(more)])].join(' ') || null
}

function narrowed(stored: string | null, suggested: string): string | null {
  const most = wordsIn(suggested)
  const own = wordsIn(stored)
  if (most.length === 0 || (own.length > 0 && own.every((word) => most.includes(word)))) {
    return stored
  }
  return own.filter((word) => most.includes(word)).join(' ') || suggested
}

function lacking(suggested: string, stored: string | null, verb: string): string | false {
  const own = new Set(wordsIn(stored))
  const missing = wordsIn(suggested).filter((word) => !own.has(word))
  return missing.length > 0 && `${verb} ${missing.join(' ')}`
}
