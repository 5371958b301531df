import { z } from 'zod'
import type { ResourceField } from './field-shape'

/** An address that starts with https:// or http://, without a user name and a password in it. */
export const WebAddress = z
  .string()
  .trim()
  .max(2_000, 'An address has at most 2,000 characters.')
  .refine((text) => {
    const protocol = URL.canParse(text) ? new URL(text).protocol : ''
    return protocol === 'https:' || protocol === 'http:'
  }, 'Enter an address that starts with https:// or http://.')
  .refine(
    (text) => !URL.canParse(text) || new URL(text).password + new URL(text).username === '',
    'Remove the user name and password from the address.',
  )

export const Host = z
  .string()
  .trim()
  .min(1, 'Enter a host.')
  .max(253, 'A host has at most 253 characters.')
  .regex(/^[a-zA-Z0-9._:-]+$/, 'Enter a host name or an IP address, without its port.')

export const Port = z
  .int('Enter a whole number.')
  .min(1, 'At least 1.')
  .max(65_535, 'At most 65535.')

/** Returns the field of a secret that an object may have: hidden while it is typed, and never shown again. */
export function secretText<const W extends { label: string; hint?: string; required: string }>(
  words: W,
  { least = 1 } = {},
) {
  const what = `A ${words.label.toLowerCase()}`
  const tooShort = least === 1 ? words.required : `${what} has at least ${least} characters.`
  return {
    ...words,
    kind: 'text',
    type: 'secret',
    schema: z
      .string()
      .min(least, tooShort)
      .max(500, `${what} has at most 500 characters.`)
      .nullable(),
    defaultValue: null,
    isSecret: true,
  } as const satisfies ResourceField
}
