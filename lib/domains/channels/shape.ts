import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { choicesOf } from '@/lib/shape/field-shape'
import { nameField } from '@/lib/shape/identifier'
import { Host, Port, secretText, WebAddress } from '@/lib/shape/network-fields'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { groupReferences, privateAddressField } from '@/lib/shape/resource-fields'

/** Kinds of channel. */
const ChannelKind = z.enum(['webhook', 'slack', 'smtp'])
type ChannelKind = z.output<typeof ChannelKind>

const channelKindWords: Record<ChannelKind, string> = {
  webhook: 'Signed webhook',
  slack: 'Slack-compatible webhook',
  smtp: 'Mail (SMTP)',
}

/** Encryption of the connection to a mail server. */
const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof MailSecurity>

const mailSecurityWords: Record<MailSecurity, string> = {
  tls: 'TLS',
  starttls: 'STARTTLS',
  none: 'None',
}

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

/**
 * Delivery of a message to a channel. `at`: time of its subject. `deliveredAt` null: it has not arrived; `trouble` "":
 * nothing was refused.
 */
const MessageOutcome = z.object({
  at: z.string(),
  attempts: z.int(),
  attemptedAt: z.string(),
  deliveredAt: z.string().nullable(),
  trouble: z.string(),
})

/** Delivery of a budget alert to a channel. */
export const AlertOutcome = MessageOutcome.extend({ title: z.string(), percent: z.int() })

/** Delivery of a message about a waiting call, when it began to wait or before it expires. */
export const NoticeOutcome = MessageOutcome.extend({
  approvalId: z.string(),
  kind: z.enum(['waiting', 'expiring']),
  runId: z.string(),
  toolName: z.string(),
})

/** Delivery of a message that a run sent to a channel. `isUncertain`: it may have arrived or not. */
export const RunMessageOutcome = MessageOutcome.extend({
  runId: z.string(),
  sentByLabel: z.string(),
  isUncertain: z.boolean(),
})

/** Restricts a field to these kinds. */
const ofWebhooks = { only: { kind: ['webhook', 'slack'] } } as const
const ofMail = { only: { kind: ['smtp'] } } as const

/** A channel: where messages to people go. Each kind has some of the fields. */
export const channels = resource({
  ...describedNouns.channels,
  about: 'where messages to people go: webhooks and mail',
  fields: {
    name: nameField,
    kind: {
      kind: 'select',
      label: 'Kind',
      placeholder: 'Pick a kind',
      choices: choicesOf(channelKindWords),
      listed: true,
      schema: ChannelKind,
      isFixed: true,
    },
    address: {
      kind: 'text',
      type: 'url',
      label: 'Address',
      hint: 'Messages are posted as JSON. Its path is never shown again.',
      required: 'Enter an address. Messages are posted there.',
      listed: { head: 'Leads to', of: 'leadsTo' },
      searched: 'address',
      schema: WebAddress.nullable(),
      defaultValue: null,
      ...ofWebhooks,
      isSecret: true,
    },
    secret: {
      ...secretText(
        {
          label: 'Secret',
          hint: 'At least 16 characters. It signs each message (HMAC-SHA256).',
          required: 'Enter a secret. It signs each message.',
        },
        { least: 16 },
      ),
      only: { kind: ['webhook'] },
    },
    host: {
      kind: 'text',
      codec: 'text',
      label: 'Mail server',
      required: 'Enter the host of the mail server.',
      schema: Host.nullable(),
      defaultValue: null,
      ...ofMail,
    },
    port: {
      kind: 'number',
      codec: 'count',
      label: 'Port',
      hint: 'Leave empty for 465 (TLS), 587 (STARTTLS) or 25 (no encryption).',
      optional: true,
      schema: Port.nullable(),
      defaultValue: null,
      ...ofMail,
    },
    security: {
      kind: 'select',
      label: 'Encryption',
      choices: choicesOf(mailSecurityWords),
      schema: MailSecurity,
      defaultValue: 'starttls',
      ...ofMail,
    },
    user: {
      kind: 'text',
      codec: 'text',
      label: 'User name',
      hint: 'Leave empty if the server asks for no password.',
      optional: true,
      required: 'Enter the user name of this password.',
      requiredBeside: 'password',
      schema: z
        .string()
        .trim()
        .min(1)
        .max(200, 'A user name has at most 200 characters.')
        .nullable(),
      defaultValue: null,
      ...ofMail,
    },
    password: {
      ...secretText({
        label: 'Password',
        required: 'Enter the password of this user.',
      }),
      requiredBeside: 'user',
      ...ofMail,
    },
    sender: {
      kind: 'text',
      type: 'email',
      codec: 'text',
      label: 'From',
      required: 'Enter the address that mails come from.',
      searched: 'sender',
      schema: MailAddress.nullable(),
      defaultValue: null,
      ...ofMail,
    },
    recipients: {
      kind: 'text',
      codec: 'text',
      label: 'To',
      hint: 'With commas between them.',
      required: 'Enter at least one recipient.',
      searched: 'recipients',
      schema: Recipients.nullable(),
      defaultValue: null,
      ...ofMail,
    },
    privateAddressAllowed: privateAddressField,
    budgetAlerts: {
      kind: 'checkbox',
      label: 'Budget alerts',
      hint: 'At 80 % and 100 %; also failed backups and refused sign-ins.',
      schema: z.boolean(),
      defaultValue: false,
    },
    approvalAlerts: {
      kind: 'checkbox',
      label: 'Calls waiting for approval',
      hint: 'When a call begins to wait, and before it expires; without arguments.',
      schema: z.boolean(),
      defaultValue: false,
    },
    runMessages: {
      kind: 'checkbox',
      label: 'Runs may send messages here',
      hint: 'With the tool send_message. A model writes the text.',
      schema: z.boolean(),
      defaultValue: false,
    },
    groupIds: {
      ...groupReferences,
      label: 'Groups whose runs may send here',
      hint: 'Runs of admins may always send.',
    },
    enabled: switchField('Nothing is sent there until it is switched on again.'),
  },
  sorts: ['name', 'kind', 'state'],
  order: 'name',
  filters: { kind: ChannelKind.optional() },
  /** `leadsTo`: what may be shown of where it leads. */
  listed: {
    leadsTo: z.string(),
    lastAlert: AlertOutcome.nullable(),
    lastNotice: NoticeOutcome.nullable(),
    lastRunMessage: RunMessageOutcome.nullable(),
  },
  /** The 20 messages of each kind that were tried last, the last one first. */
  detail: {
    alerts: z.array(AlertOutcome),
    notices: z.array(NoticeOutcome),
    messages: z.array(RunMessageOutcome),
  },
  acts: {
    test: 'Sent a test message',
    'seal-address': 'Moved its address to the vault',
  },
})
export type Channel = ListingOf<typeof channels>
export type MessageOutcome = z.output<typeof MessageOutcome>
export type RunMessageOutcome = z.output<typeof RunMessageOutcome>
