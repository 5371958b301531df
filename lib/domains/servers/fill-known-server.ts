import { parseCommandLine, parsePairs } from '@/lib/words/command-line'
import type { KnownServer } from './known-servers'

/** Fields that a known server fills in; the rest keeps its default values. */
type Filled = { name: string } & (
  | { kind: 'http'; url: string; headers: string }
  | { kind: 'stdio'; command: string; variables: string }
)

/** Returns the first values of a known server. What a person gives is named in them and empty, each at the end of its line. */
export function filledFrom({ name, reached, asks }: KnownServer): Filled {
  const lines = (place: Asked['in']) =>
    asks.flatMap((asked) => (asked.in === place ? [lineOf(asked)] : [])).join('\n')
  if (reached.kind === 'http') return { name, ...reached, headers: lines('headers') }
  const command = `${reached.command}${lines('command')}`
  return { name, kind: 'stdio', command, variables: lines('variables') }
}

type Asked = KnownServer['asks'][number]

function lineOf(asked: Asked): string {
  if (asked.in === 'headers') return `${asked.name}: ${asked.begins}`
  return asked.in === 'variables' ? `${asked.name}=` : ' '
}

type Given = { [K in 'command' | 'headers' | 'variables']?: string | null | undefined }

/** Returns what is still missing of a known server, as a sentence for each field. */
export function missingOf({ reached, asks }: KnownServer, given: Given): Record<string, string> {
  const missing = asks.filter((asked) => !isGiven(asked, reached, given))
  return Object.fromEntries(missing.map((asked) => [asked.in, sentenceAbout(asked)]))
}

function isGiven(asked: Asked, reached: KnownServer['reached'], given: Given): boolean {
  const text = given[asked.in] ?? ''
  if (asked.in === 'command') {
    const base = reached.kind === 'stdio' ? (parseCommandLine(reached.command) ?? []) : []
    return (parseCommandLine(text) ?? []).length > base.length
  }
  const pairs = parsePairs(text, asked.in === 'headers' ? ':' : '=')
  // Lines that cannot be read are refused with the reason, by what reads them.
  if (typeof pairs === 'string') return true
  const value = pairs[asked.name] ?? ''
  return value !== '' && (asked.in !== 'headers' || value !== asked.begins.trim())
}

function sentenceAbout(asked: Asked): string {
  if (asked.in === 'command') return `Add ${asked.what} at the end of the command.`
  return `${asked.name} has no value yet. Enter ${asked.what}.`
}

/** Returns what a known server asks for, in the words of a list: "BRAVE_API_KEY, a key of the Brave Search API". */
export function askedWords({ asks }: Pick<KnownServer, 'asks'>): string {
  const words = asks.map((asked) =>
    asked.in === 'command'
      ? `${asked.what} at the end of the command`
      : `${asked.name}, ${asked.what}`,
  )
  return words.join('; ')
}
