import { z } from 'zod'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { Wire, wireWords } from '@/lib/protocol/parameters/parameter-values'
import { zoneWords } from '@/lib/protocol/trust-words'
import { schemasOf } from '@/lib/shape/field-codec'
import type { ResourceField } from '@/lib/shape/field-shape'
import { nameField } from '@/lib/shape/identifier'
import { privateAddressField } from '@/lib/shape/resource-fields'
import { cleanBaseUrl } from '@/lib/words/pasted-text'

/** Time that a test of a connection waits for its answer, in ms. */
export const longestTestMs = 20_000

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with http:// or https://.' })
  .max(500, 'An address has at most 500 characters.')
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return !url || (url.username === '' && url.password === '')
  }, 'Remove the user name and password from the address. Store a key instead.')
  .refine(
    (text) => !/\bYOUR-[A-Z-]+/.test(text),
    'Replace the part in capital letters with your own name.',
  )
  .refine((text) => !/[?#]/.test(text), 'Remove ? and # and everything after them.')
  .overwrite(cleanBaseUrl)

/** The highest data class of each zone. */
const zoneHints: Record<TrustZone, string> = {
  local: 'Own machines: all data.',
  private: 'Own network or tenancy: all but possible secrets.',
  'external-eu': 'In the EU: settings and structure, no logs.',
  'external-global': 'Anywhere: text for readers, no settings or logs.',
}

function timeout(label: string, placeholder: string, limit: { ms: number; error: string }) {
  return {
    kind: 'number',
    inputMode: 'decimal',
    codec: 'seconds',
    label: `${label} (seconds)`,
    placeholder,
    optional: true,
    defaultValue: null,
    schema: z
      .int('Enter a whole number of milliseconds.')
      .min(100, 'At least 0.1 seconds.')
      .max(limit.ms, limit.error)
      .nullable(),
  } as const
}

/**
 * Fields that an admin enters for a connection, beside its key and headers: those are secrets and never leave the
 * vault. Each is audited as it is stored.
 */
export const connectionShape = {
  name: nameField,
  wire: {
    kind: 'select',
    label: 'API type',
    choices: Wire.options.map((value) => ({ value, label: wireWords[value] })),
    schema: Wire,
  },
  /** Null = the public address of the API type, where it has one. */
  baseUrl: {
    kind: 'text',
    type: 'url',
    codec: 'text',
    label: 'Base URL',
    cleans: 'base-url',
    schema: BaseUrl.nullable(),
    defaultValue: null,
  },
  /** Settings that the API type needs beside its address; `shared/connection-settings.ts` describes them. */
  settings: {
    kind: 'own',
    label: 'Settings',
    schema: z.record(
      z.string().max(50, 'The name of a setting has at most 50 characters.'),
      z.string().trim().max(500, 'A setting has at most 500 characters.'),
    ),
    defaultValue: {},
  },
  organisation: {
    kind: 'text',
    codec: 'text',
    label: 'Organisation',
    hint: 'Id of the organisation to bill.',
    optional: true,
    schema: z
      .string()
      .trim()
      .min(1)
      .max(200, 'An organisation has at most 200 characters.')
      .regex(/^[\x21-\x7e]+$/, 'An organisation must be an id without spaces.')
      .nullable(),
    defaultValue: null,
  },
  /** Trust zone of the receiver of prompts (SPEC G7). */
  trustZone: {
    kind: 'select',
    label: 'Trust zone',
    placeholder: 'Pick a trust zone',
    choices: TrustZone.options.map((value) => ({
      value,
      label: zoneWords[value],
      hint: zoneHints[value],
    })),
    schema: TrustZone,
  },
  /** True = an address in a private network or on this machine is meant. */
  privateAddressAllowed: privateAddressField,
  connectTimeoutMs: {
    ...timeout('Connect timeout', '10', { ms: 120_000, error: 'At most 2 minutes.' }),
    hint: 'Up to 120.',
  },
  firstByteTimeoutMs: {
    ...timeout('First-byte timeout', '60', { ms: 600_000, error: 'At most 10 minutes.' }),
    hint: 'Up to 600.',
  },
  idleTimeoutMs: {
    ...timeout('Idle timeout', '60', { ms: 600_000, error: 'At most 10 minutes.' }),
    hint: 'Between parts of an answer. Up to 600.',
  },
  maxTries: {
    kind: 'number',
    codec: 'count',
    label: 'Maximum tries',
    hint: '1-5, before the fallback is asked.',
    schema: z.int('Enter a whole number of tries.').min(1, 'At least 1.').max(5, 'At most 5.'),
    defaultValue: 3,
  },
} as const satisfies Record<string, ResourceField>

// The type of Object.keys does not say that these are the keys of the shape.
export const connectionFields = Object.keys(connectionShape) as (keyof typeof connectionShape)[]

/** Schemas of a connection's fields. */
export const connectionSchemas = schemasOf(connectionShape)

/** Errors for a missing reason: for another trust zone, and for one that contradicts the address. */
export const zoneReasons = {
  change: 'Give a reason: the zone decides which tools may run.',
  confirm: 'Say why this address is trusted.',
} as const

/** An address and the trust zone that is given to it. */
export const ZonedAddress = z
  .object(connectionSchemas)
  .pick({ wire: true, baseUrl: true, settings: true, trustZone: true })
export type ZonedAddress = z.output<typeof ZonedAddress>

/** Records who typed the host's name to confirm a trust zone. It counts for that host and that zone alone. */
export const ZoneConfirmation = z.object({
  host: z.string(),
  trustZone: TrustZone,
  by: z.string(),
  at: z.string(),
  reason: z.string(),
})
export type ZoneConfirmation = z.output<typeof ZoneConfirmation>

function perMinute(what: 'requests' | 'tokens', label: string) {
  return {
    kind: 'number',
    codec: 'count',
    label,
    hint: 'Leave empty for no limit.',
    optional: true,
    schema: z
      .int('Enter a whole number, or leave it empty for no limit.')
      .min(1, 'At least 1.')
      .max(2_000_000_000, `At most 2,000,000,000 ${what} a minute.`)
      .nullable(),
    defaultValue: null,
  } as const
}

/** Fields of a connection's key beside the key itself, which is a secret. */
export const keyShape = {
  label: {
    kind: 'text',
    label: 'Label',
    schema: z
      .string()
      .trim()
      .min(1, 'Enter a label.')
      .max(50, 'A label has at most 50 characters.')
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
        'Use letters, digits, spaces, dots, hyphens and underscores.',
      ),
  },
  weight: {
    kind: 'number',
    codec: 'count',
    label: 'Weight',
    hint: 'Weight 3 gets three times the requests of 1.',
    schema: z.int('Enter a whole number.').min(1, 'At least 1.').max(1_000, 'At most 1,000.'),
    defaultValue: 1,
  },
  requestsPerMinute: perMinute('requests', 'Requests a minute'),
  tokensPerMinute: perMinute('tokens', 'Tokens a minute'),
} as const satisfies Record<string, ResourceField>
