import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { choicesOf } from '@/lib/shape/field-shape'
import { secretText, WebAddress } from '@/lib/shape/network-fields'
import { type DetailOf, type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { privateAddressField } from '@/lib/shape/resource-fields'
import { parseCommandLine, parsePairs } from '@/lib/words/command-line'
import { countOf, formatCount } from '@/lib/words/format'

/** Transports of a server. */
export const ServerKind = z.enum(['http', 'sse', 'stdio'])
export type ServerKind = z.output<typeof ServerKind>

const serverKindWords: Record<ServerKind, string> = {
  http: 'Address (Streamable HTTP)',
  sse: 'Address, older form (SSE)',
  stdio: 'Program on this machine (stdio)',
}

/** Owner of the account that a server is used with. `client`: this installation as a client, without a person. */
export const ServerAccount = z.enum(['none', 'site', 'person', 'client'])
export type ServerAccount = z.output<typeof ServerAccount>

const accountChoices: Record<ServerAccount, string> = {
  none: 'No sign-in',
  person: 'Each person’s own account',
  site: 'One account for the site',
  client: 'A client ID and secret',
}

const Name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(24, 'A name has at most 24 characters.')
  .regex(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'Use lower-case letters, digits and single hyphens, such as "files" or "issue-tracker".',
  )

const Command = z
  .string()
  .trim()
  .min(1)
  .max(4_000, 'A command has at most 4,000 characters.')
  .refine((text) => parseCommandLine(text) !== null, 'A quote is not closed.')

/** Returns a schema for lines of names and values. */
function lines(separator: ':' | '=', isName: RegExp, words: string) {
  return z
    .string()
    .max(20_000, 'At most 20,000 characters.')
    .superRefine((text, issues) => {
      const pairs = parsePairs(text, separator)
      if (typeof pairs === 'string') return issues.addIssue({ code: 'custom', message: pairs })
      const wrong = Object.entries(pairs).find(
        ([name, value]) => !isName.test(name) || !/^[\t\x20-\x7e\xa0-\xff]*$/.test(value),
      )
      if (wrong) issues.addIssue({ code: 'custom', message: `${wrong[0]}: ${words}` })
    })
}

/** Headers that belong to the message or to the protocol. */
const headerName =
  /^(?!(?:accept|accept-encoding|connection|content-length|content-type|expect|host|keep-alive|mcp-[a-z-]+|te|trailer|transfer-encoding|upgrade|user-agent)$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$/i

const byAddress = { only: { kind: ['http', 'sse'] } } as const
const withAccount = {
  only: { kind: ['http', 'sse'], account: ['site', 'person', 'client'] },
} as const
const byClient = { account: ['client'] } as const
const byProgram = { only: { kind: ['stdio'] } } as const

/** An MCP server, whose tools runs may use once a person accepted them. */
export const servers = resource({
  ...describedNouns.servers,
  about: 'MCP servers, whose tools runs may use once a person accepted them',
  fields: {
    name: {
      kind: 'text',
      label: 'Name',
      hint: 'Begins the names of its tools: files__read_file. It cannot be changed.',
      schema: Name,
      isFixed: true,
    },
    kind: {
      kind: 'select',
      label: 'Reached by',
      placeholder: 'Pick one',
      choices: choicesOf(serverKindWords),
      schema: ServerKind,
      isFixed: true,
    },
    url: {
      kind: 'text',
      type: 'url',
      codec: 'text',
      label: 'Address',
      hint: 'Of the MCP endpoint: many end with /mcp.',
      required: 'Enter the address of the server.',
      schema: WebAddress.nullable(),
      defaultValue: null,
      ...byAddress,
    },
    headers: {
      kind: 'textarea',
      codec: 'text',
      label: 'Headers',
      hint: 'One a line, such as "Authorization: Bearer …". Values are never shown.',
      optional: true,
      mono: true,
      rows: 3,
      schema: lines(
        ':',
        headerName,
        'this header cannot be set, or its value has characters that no header can have.',
      ).nullable(),
      defaultValue: null,
      ...byAddress,
      isSecret: true,
    },
    account: {
      kind: 'select',
      label: 'Signs in with',
      hint: 'Another choice signs everybody out.',
      choices: choicesOf(accountChoices),
      schema: ServerAccount,
      defaultValue: 'none',
      ...byAddress,
    },
    clientId: {
      kind: 'text',
      codec: 'text',
      label: 'Client ID',
      hint: 'Only where the service wants a client that you registered there.',
      required: 'Enter the client ID.',
      requiredOf: byClient,
      optional: true,
      mono: true,
      schema: z.string().trim().min(1).max(2_000, 'At most 2,000 characters.').nullable(),
      defaultValue: null,
      ...withAccount,
    },
    clientSecret: {
      ...secretText({
        label: 'Client secret',
        hint: 'It belongs to the client ID. It is never shown.',
        required: 'Enter the client secret.',
      }),
      codec: 'text',
      optional: true,
      requiredOf: byClient,
      ...withAccount,
    },
    privateAddressAllowed: { ...privateAddressField, ...byAddress },
    command: {
      kind: 'text',
      codec: 'text',
      label: 'Command',
      hint: 'Such as "npx -y @modelcontextprotocol/server-filesystem /srv/docs". No shell reads it.',
      required: 'Enter the command that starts the server.',
      mono: true,
      schema: Command.nullable(),
      defaultValue: null,
      ...byProgram,
    },
    cwd: {
      kind: 'text',
      codec: 'text',
      label: 'Working folder',
      hint: 'Full path. Leave empty for that of Toolgate.',
      optional: true,
      mono: true,
      schema: z
        .string()
        .trim()
        .min(1)
        .max(1_000, 'A folder has at most 1,000 characters.')
        .refine(
          (text) => text.startsWith('/') && !text.includes('\0'),
          'Give the full path, such as /srv/docs.',
        )
        .nullable(),
      defaultValue: null,
      ...byProgram,
    },
    variables: {
      kind: 'textarea',
      codec: 'text',
      label: 'Environment variables',
      hint: 'One a line, such as "API_KEY=…", besides PATH, HOME and NODE_ENV.',
      optional: true,
      mono: true,
      rows: 3,
      schema: lines(
        '=',
        /^[A-Za-z_][A-Za-z0-9_]*$/,
        'this is no name of a variable, or its value has other characters than letters, digits and signs.',
      ).nullable(),
      defaultValue: null,
      ...byProgram,
      isSecret: true,
    },
    callSeconds: {
      kind: 'number',
      codec: 'count',
      label: 'Call timeout (seconds)',
      schema: z
        .int('Enter a whole number.')
        .min(1, 'At least 1 second.')
        .max(600, 'At most 600 seconds.'),
      defaultValue: 60,
    },
    enabled: switchField('None of its tools is offered or called until it is switched on again.'),
  },
  sorts: ['name', 'kind', 'state'],
  order: 'name',
  /** `review`: those with tools that wait for a person. */
  filters: { kind: ServerKind.optional(), review: z.enum(['waiting']).optional() },
  /** `toReview`: tools that wait for a person. `downSince` null = it was reached the last time. Times are ISO text. */
  listed: {
    toolCount: z.int(),
    toReview: z.int(),
    checkedAt: z.string().nullable(),
    downSince: z.string().nullable(),
    trouble: z.string(),
  },
  /** Name and version that the server states, names of its secrets, and definitions that cannot be used. */
  detail: {
    saidName: z.string(),
    saidVersion: z.string(),
    protocol: z.string(),
    headerNames: z.array(z.string()),
    variableNames: z.array(z.string()),
    problems: z.array(z.string()),
  },
  acts: { check: 'Checked' },
})

/** Returns "It has 3 tools, 2 of them to review." */
export function foundTools({ tools, toReview }: { tools: number; toReview: number }): string {
  if (tools === 0) return 'It has no tools.'
  if (toReview === 0) return `It has ${countOf(tools, 'tool')}, none to review.`
  if (tools === 1) return 'It has 1 tool, to review.'
  return `It has ${countOf(tools, 'tool')}, ${formatCount(toReview)} of them to review.`
}

export type Server = ListingOf<typeof servers>
export type ServerDetail = DetailOf<typeof servers>
