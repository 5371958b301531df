import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { adminNoteField, callNameField } from '@/lib/shape/resource-fields'
import { formatCount } from '@/lib/words/format'
import { optionPattern, wordsIn } from './shared/program-rules'

const Path = z
  .string()
  .trim()
  .max(1_000, 'A path has at most 1,000 characters.')
  .regex(/^\/[^\0\n]*[^\0\n/]$/, 'Enter an absolute path, such as /usr/bin/git.')

/** Returns the schema of words that are separated by spaces, commas or lines, and stored with single spaces. */
function words(most: number, each: (word: string) => string | null) {
  return z
    .string()
    .max(10_000, 'At most 10,000 characters.')
    .transform((text) => wordsIn(text).join(' '))
    .superRefine((text, issues) => {
      const all = wordsIn(text)
      const message =
        all.length > most
          ? `At most ${most} words.`
          : all.map(each).find((problem) => problem !== null)
      if (message) issues.addIssue({ code: 'custom', message })
    })
    .transform((text) => text || null)
    .nullable()
}

const anyWord = () => null
const anOption = (word: string) =>
  optionPattern.test(word)
    ? null
    : `"${word.slice(0, 60)}" is not an option. Options begin with - or --, such as --exec.`

const Folders = z
  .string()
  .trim()
  .max(4_000, 'At most 4,000 characters.')
  .refine(
    (text) => text.split('\n').every((line) => /^\/[^\0]*[^\0/]$/.test(line.trim())),
    'Enter absolute paths, one a line, such as /opt/node.',
  )

const Reason = z.string().trim().min(10, 'Say in a sentence why that is acceptable.').max(500)

const mostMebibytes = 4_096

/** A program: a file of the server that `exec` may run, and with which arguments. */
export const programs = resource({
  ...describedNouns.programs,
  about: 'the programs of the server that exec may run',
  fields: {
    name: callNameField('git', 'Models call it by this name.'),
    path: {
      kind: 'text',
      label: 'Path',
      hint: 'Links in it are resolved at each call.',
      mono: true,
      placeholder: '/usr/bin/git',
      required: 'Enter the path of a program on the server.',
      listed: true,
      searched: true,
      schema: Path,
    },
    first: {
      kind: 'text',
      codec: 'text',
      label: 'Arguments that always come first',
      hint: 'Separated by spaces, such as --no-pager.',
      mono: true,
      optional: true,
      none: 'none',
      schema: words(20, anyWord),
      defaultValue: null,
    },
    subcommands: {
      kind: 'textarea',
      codec: 'text',
      rows: 2,
      label: 'Allowed first arguments',
      hint: 'Separated by spaces, such as log show diff. Leave empty for any.',
      mono: true,
      optional: true,
      none: 'any',
      listed: true,
      schema: words(100, anyWord),
      defaultValue: null,
    },
    refused: {
      kind: 'textarea',
      codec: 'text',
      rows: 3,
      label: 'Refused options',
      hint: 'Separated by spaces, such as -exec -I. Shortened forms are refused, too.',
      mono: true,
      optional: true,
      none: 'none',
      schema: words(100, anOption),
      defaultValue: null,
    },
    network: {
      kind: 'checkbox',
      label: 'It may use the network',
      hint: 'All of it, private addresses too: listed hosts do not limit programs.',
      listed: { head: 'Network', yes: 'all', no: 'none', card: 'may use the network' },
      schema: z.boolean(),
      defaultValue: false,
    },
    seconds: {
      kind: 'number',
      codec: 'count',
      label: 'Time limit (s)',
      hint: '1-300. After that, it is stopped.',
      inputMode: 'numeric',
      schema: z
        .int('Enter a whole number.')
        .min(1, 'At least 1 second.')
        .max(300, 'At most 300 seconds.'),
      defaultValue: 60,
    },
    memory: {
      kind: 'number',
      codec: 'count',
      label: 'Memory limit (MiB)',
      hint: `16-${formatCount(mostMebibytes)}, with all that it starts.`,
      inputMode: 'numeric',
      schema: z
        .int('Enter a whole number.')
        .min(16, 'At least 16 MiB.')
        .max(mostMebibytes, `At most ${formatCount(mostMebibytes)} MiB.`),
      defaultValue: 512,
    },
    readable: {
      kind: 'textarea',
      codec: 'text',
      rows: 2,
      label: 'Further folders that it may read',
      hint: 'One a line, such as /opt/node, besides /usr and the workspace.',
      mono: true,
      optional: true,
      none: 'none',
      schema: Folders.nullable(),
      defaultValue: null,
    },
    accepted: {
      kind: 'text',
      codec: 'text',
      label: 'Why it may run without a sandbox',
      hint: 'It can then read the database and keys. Leave empty to forbid that.',
      isOfConsole: true,
      optional: true,
      none: 'it may not',
      schema: Reason.nullable(),
      defaultValue: null,
    },
    note: adminNoteField,
    enabled: switchField('No run can use it until it is switched on again.'),
  },
  sorts: ['name', 'path', 'state'],
  order: 'name',
  /** `trouble`: why it cannot be run now; null = it can. `version`: the first line of what it says about itself; null = nothing. */
  detail: { trouble: z.string().nullable(), version: z.string().nullable() },
})
export type Program = ListingOf<typeof programs>
