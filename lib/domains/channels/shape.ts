import { z } from 'zod'
import { choicesOf, privateAddressField } from '../../protocol/field-shape'
import { nameField } from '../../protocol/identifier'
import { type DetailOf, type ListingOf, resource, switchField } from '../../protocol/resource'

/** How a channel reaches people. */
export const ChannelKind = z.enum(['webhook', 'slack', 'smtp'])
export type ChannelKind = z.output<typeof ChannelKind>

const channelKindWords: Record<ChannelKind, string> = {
  webhook: 'Signed webhook',
  slack: 'Slack-compatible webhook',
  smtp: 'Mail (SMTP)',
}

/** How the connection to a mail server is encrypted. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof MailSecurity>

const mailSecurityWords: Record<MailSecurity, string> = {
  tls: 'TLS',
  starttls: 'STARTTLS',
  none: 'None',
}

/** The port of a mail server where none is given. */
export const usualPorts: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 }

/** So often a message is tried; the waits double, beginning with this one. */
export const maxAttempts = 10
export const firstPauseSeconds = 30
/** Older messages are not sent any more. */
export const newsForHours = 24

const notAnAddress = 'Enter an address that starts with https:// or http://.'

const WebhookAddress = z
  .string()
  .trim()
  .max(2_000, 'An address has at most 2,000 characters.')
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  }, notAnAddress)
  .refine(
    (text) => !URL.canParse(text) || new URL(text).password + new URL(text).username === '',
    'Remove the user name and password from the address.',
  )

const Host = z
  .string()
  .trim()
  .min(1, 'Enter the host of the mail server.')
  .max(253, 'A host has at most 253 characters.')
  .regex(/^[a-zA-Z0-9._:-]+$/, 'Enter a host name or an IP address, without its port.')

const MailAddress = z
  .email('Enter a mail address such as alerts@example.com.')
  .max(254, 'A mail address has at most 254 characters.')

const mostRecipients = 20

const Recipients = z
  .string()
  .trim()
  .overwrite((text) => mailAddresses(text).join(', '))
  .refine(
    (text) => mailAddresses(text).length <= mostRecipients,
    `At most ${mostRecipients} recipients.`,
  )
  .refine(
    (text) => mailAddresses(text).every((address) => MailAddress.safeParse(address).success),
    'Enter mail addresses such as ada@example.com, with commas between them.',
  )

/** Returns the addresses of a text with commas between them. */
export function mailAddresses(text: string): string[] {
  return text.split(',').flatMap((each) => each.trim() || [])
}

/** What came of an alert at a channel. `deliveredAt` null = it has not arrived; `trouble` "" = nothing was refused. */
const AlertOutcome = z.object({
  title: z.string(),
  percent: z.int(),
  at: z.string(),
  attempts: z.int(),
  deliveredAt: z.string().nullable(),
  trouble: z.string(),
})

/** A channel: where messages to people go. Each kind has some of the fields. */
export const channels = resource({
  noun: 'channel',
  nouns: 'channels',
  scopes: { read: 'channels:read', write: 'channels:write' },
  fields: {
    name: nameField,
    kind: {
      kind: 'select',
      label: 'Kind',
      placeholder: 'Pick a kind',
      choices: choicesOf(channelKindWords),
      schema: ChannelKind,
      isFixed: true,
    },
    address: {
      kind: 'text',
      type: 'url',
      label: 'Address',
      hint: 'Messages are posted there as JSON. Its path is encrypted and never shown again.',
      schema: WebhookAddress.nullable(),
      defaultValue: null,
      isSecret: true,
    },
    secret: {
      kind: 'text',
      type: 'secret',
      label: 'Secret',
      hint: 'At least 16 characters. It signs each message (HMAC-SHA256) and is never shown.',
      schema: z
        .string()
        .min(16, 'A secret has at least 16 characters.')
        .max(500, 'A secret has at most 500 characters.')
        .nullable(),
      defaultValue: null,
      isSecret: true,
    },
    host: {
      kind: 'text',
      codec: 'text',
      label: 'Mail server',
      schema: Host.nullable(),
      defaultValue: null,
    },
    port: {
      kind: 'number',
      codec: 'count',
      label: 'Port',
      hint: 'Leave empty for the usual one: 465 with TLS, 587 with STARTTLS, 25 without encryption.',
      optional: true,
      schema: z
        .int('Enter a whole number.')
        .min(1, 'At least 1.')
        .max(65_535, 'At most 65535.')
        .nullable(),
      defaultValue: null,
    },
    security: {
      kind: 'select',
      label: 'Encryption',
      choices: choicesOf(mailSecurityWords),
      schema: MailSecurity,
      defaultValue: 'starttls',
    },
    user: {
      kind: 'text',
      codec: 'text',
      label: 'User name',
      hint: 'Leave empty if the server asks for no password.',
      optional: true,
      schema: z
        .string()
        .trim()
        .min(1)
        .max(200, 'A user name has at most 200 characters.')
        .nullable(),
      defaultValue: null,
    },
    password: {
      kind: 'text',
      type: 'secret',
      label: 'Password',
      hint: 'It is encrypted and never shown.',
      schema: z
        .string()
        .min(1, 'Enter a password.')
        .max(500, 'A password has at most 500 characters.')
        .nullable(),
      defaultValue: null,
      isSecret: true,
    },
    sender: {
      kind: 'text',
      type: 'email',
      codec: 'text',
      label: 'From',
      schema: MailAddress.nullable(),
      defaultValue: null,
    },
    recipients: {
      kind: 'text',
      codec: 'text',
      label: 'To',
      hint: 'Mail addresses, with commas between them.',
      schema: Recipients.nullable(),
      defaultValue: null,
    },
    privateAddressAllowed: { ...privateAddressField, schema: z.boolean(), defaultValue: false },
    budgetAlerts: {
      kind: 'checkbox',
      label: 'Budget alerts',
      hint: 'When a budget passes 80 % or 100 %, a message is sent here.',
      schema: z.boolean(),
      defaultValue: false,
    },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      isMany: true,
      label: 'Groups that may use it',
      hint: 'Admins may use every channel.',
      schema: z.array(z.uuid()).max(100, 'At most 100 groups.'),
      defaultValue: [],
      option: { name: 'group', help: 'groups whose members may use it (names)' },
    },
    enabled: switchField('Nothing is sent there until it is switched on again.'),
  },
  sorts: ['name', 'kind', 'state'],
  order: 'name',
  filters: { kind: ChannelKind.optional() },
  /** `leadsTo`: what may be shown of where it leads. */
  listed: { leadsTo: z.string(), lastAlert: AlertOutcome.nullable() },
  /** The last 20 alerts, the newest first. */
  detail: { alerts: z.array(AlertOutcome) },
})
export type Channel = ListingOf<typeof channels>
export type ChannelDetail = DetailOf<typeof channels>
export type AlertOutcome = z.output<typeof AlertOutcome>

/** The fields that only these kinds have, with those that they cannot do without. */
export const fieldsOfKind = {
  webhook: { has: ['address', 'secret'], needs: ['address', 'secret'] },
  slack: { has: ['address'], needs: ['address'] },
  smtp: {
    has: ['host', 'port', 'security', 'user', 'password', 'sender', 'recipients'],
    needs: ['host', 'sender', 'recipients'],
  },
} as const satisfies Record<ChannelKind, Record<'has' | 'needs', (keyof typeof channels.fields)[]>>

/** Where messages of a mail channel go, and how. */
export type MailRoute = {
  host: string
  port: number
  security: MailSecurity
  user: string | null
  from: string
  to: string[]
}

/**
 * A message to people. `title` is one line; mail uses it as the subject. `data` is what a signed webhook receives, as
 * JSON.
 */
export type ChannelMessage = { title: string; text: string; data: Record<string, unknown> }

/**
 * What came of one attempt to send a message. `trouble` says what happened and what to do; null = nothing.
 * `isAccepted` with a trouble = some recipients were refused.
 */
export type Delivery = {
  isAccepted: boolean
  trouble: string | null
  /** So many seconds the receiver asks to wait; null = it asks for nothing. */
  retryAfterSeconds: number | null
}
