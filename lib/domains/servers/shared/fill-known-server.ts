import { parseCommandLine, parsePairs } from '@/lib/words/command-line'
import type { KnownServer } from './known-servers'

/** Fields that a known server fills in; the rest keeps its default values. */
type Filled = { name: string } & (
  | { kind: 'http'; url: string; headers: string; account: 'none' | 'person' }
  | { kind: 'stdio'; command: string; variables: string }
)

/** Returns the first values of a known server. What a person gives is named in them and empty, each at the end of its line. */
export function filledFrom({ name, reached, asks, signsIn }: KnownServer): Filled {
  const lines = (place: Asked['in']) =>
    asks.flatMap((input) => (input.in === place ? [lineOf(input)] : [])).join('\n')
  const account = signsIn ? 'person' : 'none'
  if (reached.kind === 'http') return { name, ...reached, headers: lines('headers'), account }
  const command = `${reached.command}${lines('command')}`
  return { name, kind: 'stdio', command, variables: lines('variables') }
}

type Asked = KnownServer['asks'][number]

function lineOf(input: Asked): string {
  if (input.in === 'headers') return `${input.name}: ${input.begins}`
  return input.in === 'variables' ? `${input.name}=` : ' '
}

type Given = { [K in 'command' | 'headers' | 'variables']?: string | null | undefined }

/** Returns what is still missing of a known server, as a sentence for each field. */
export function missingOf({ reached, asks }: KnownServer, given: Given): Record<string, string> {
  const missing = asks.filter((input) => !isGiven(input, reached, given))
  return Object.fromEntries(missing.map((input) => [input.in, sentenceAbout(input)]))
}

function isGiven(input: Asked, reached: KnownServer['reached'], given: Given): boolean {
  const text = given[input.in] ?? ''
  if (input.in === 'command') {
    const base = reached.kind === 'stdio' ? (parseCommandLine(reached.command) ?? []) : []
    return (parseCommandLine(text) ?? []).length > base.length
  }
  const pairs = parsePairs(text, input.in === 'headers' ? ':' : '=')
  // Lines that cannot be read are refused with the reason, by what reads them.
  if (typeof pairs === 'string') return true
  const value = pairs[input.name] ?? ''
  return value !== '' && (input.in !== 'headers' || value !== input.begins.trim())
}

function sentenceAbout(input: Asked): string {
  if (input.in === 'command') return `Add ${input.what} at the end of the command.`
  return `${input.name} has no value yet. Enter ${input.what}.`
}

/** Returns what a known server asks for, in the words of a list: "BRAVE_API_KEY, a key of the Brave Search API". */
export function askedWords({ asks }: Pick<KnownServer, 'asks'>): string {
  const words = asks.map((input) =>
    input.in === 'command'
      ? `${input.what} at the end of the command`
      : `${input.name}, ${input.what}`,
  )
  return words.join('; ')
}
