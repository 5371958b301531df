import type { Command } from 'commander'
import { askedWords } from '@/lib/domains/servers/shared/fill-known-server'
import { type KnownServer, knownServers } from '@/lib/domains/servers/shared/known-servers'
import { ValidationError } from '@/lib/kernel/errors'
import { commandLineOf, parseCommandLine } from '@/lib/words/command-line'
import { command } from '../command'
import { printTable } from '../print'

/** Throws ValidationError for a name that no known server has. */
export function requireKnown(name: string): KnownServer {
  const found = knownServers.find((known) => known.name === name)
  if (found) return found
  const words = `No known server is named ${name.slice(0, 100)}. "toolgate server known" lists them.`
  throw new ValidationError({ known: words })
}

/**
 * Returns how a known server is reached; `words` are put at the end of its command. Throws ValidationError when it is also said
 * in another way: what is given for one address must never go to another.
 */
export function placeOf(
  { name, reached }: KnownServer,
  words: readonly string[],
  { url, sse }: { url?: string; sse?: boolean },
) {
  const given = url === undefined ? sse && '--sse' : '--url'
  if (given) throw new ValidationError({ known: `Give --known or ${given}, not both.` })
  if (reached.kind === 'http') {
    if (words.length === 0) return reached
    throw new ValidationError({ known: `${name} has an address, so it takes no words after "--".` })
  }
  const base = parseCommandLine(reached.command) ?? []
  return { kind: reached.kind, command: commandLineOf([...base, ...words]) }
}

/** Adds the command that lists the known servers. */
export function addKnownServers(group: Command): void {
  command(group, 'known', {
    description: 'list the known servers, which "add NAME --known SERVER" adds',
    work: async () => ({
      json: knownServers,
      text: () =>
        printTable(
          ['SERVER', 'REACHED BY', 'ASKS FOR', 'WHAT IT DOES', 'CHECKED'],
          knownServers.map(({ name, reached, does, checkedOn, ...known }) => [
            name,
            reached.kind === 'http' ? reached.url : reached.command,
            askedWords(known) || '-',
            does,
            checkedOn,
          ]),
        ),
    }),
  })
}
