import { z } from 'zod'
import type { ResourceField } from './field-shape'
import { identifierPattern, identifierRule, mostCharacters } from './identifier'

/** Returns the field of a name that tools are called with. It is typed like an identifier. */
export function callNameField(example: string, use = 'Tools are called with it.') {
  return {
    kind: 'text',
    label: 'Name',
    hint: `${use} Lower-case letters and digits, such as "${example}".`,
    mono: true,
    schema: z
      .string()
      .trim()
      .min(1, 'Enter a name.')
      .max(mostCharacters, `A name has at most ${mostCharacters} characters.`)
      .regex(identifierPattern, `${identifierRule}, such as "${example}".`),
  } as const satisfies ResourceField
}

/** Any number of groups whose members may use an object in their runs. The field that spreads it has the label. */
export const groupReferences = {
  kind: 'reference',
  to: 'group',
  as: 'groups',
  isMany: true,
  schema: z.array(z.uuid()).max(100, 'At most 100 groups.'),
  defaultValue: [],
  option: { name: 'group', help: 'groups whose members may use it (names)' },
} as const

/** The groups that may use an object. Admins may use it without one. */
export const groupsField = {
  ...groupReferences,
  label: 'Groups that may use it',
  hint: 'Without a group, only admins may use it.',
  none: 'admins only',
  listed: true,
} as const satisfies ResourceField

/** Allows an address on this machine or in a private network. */
export const privateAddressField = {
  kind: 'checkbox',
  label: 'Allow this address in a private network',
  hint: 'For this machine, 10.x, 172.16.x and 192.168.x.',
  schema: z.boolean(),
  defaultValue: false,
} as const satisfies ResourceField

/** Allows a private address of an object whose lists say so. */
export const listedPrivateAddressField = {
  ...privateAddressField,
  listed: {
    head: 'Private network',
    yes: 'allowed',
    no: 'blocked',
    card: 'private addresses allowed',
  },
} as const satisfies ResourceField

/** A note for admins about an object. */
export const adminNoteField = {
  kind: 'text',
  codec: 'text',
  label: 'Note',
  hint: 'What it is for. Only admins see it.',
  optional: true,
  searched: true,
  schema: z.string().trim().min(1).max(500, 'A note has at most 500 characters.').nullable(),
  defaultValue: null,
} as const satisfies ResourceField
