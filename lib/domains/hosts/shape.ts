import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { resource, switchField } from '@/lib/shape/resource'
import { listedPrivateAddressField } from '@/lib/shape/resource-fields'
import { WebOrigin } from './shared/web-origin'

/** A host that people asked for: their e-mail addresses, and when the first one did. */
export const HostRequest = z.object({
  id: z.string(),
  origin: z.string(),
  people: z.array(z.string()),
  askedAt: z.string(),
})
export type HostRequest = z.output<typeof HostRequest>

/** A host: an origin whose addresses tools may read. */
export const hosts = resource({
  ...describedNouns.hosts,
  about: 'the hosts that tools may read',
  fields: {
    name: {
      kind: 'text',
      label: 'Origin',
      hint: 'Such as https://example.org, or https://*.example.org for all hosts below it.',
      required: 'Enter the origin.',
      mono: true,
      schema: WebOrigin,
      option: { help: 'its origin, or one with * for all hosts below it' },
    },
    privateAddressAllowed: listedPrivateAddressField,
    note: {
      kind: 'text',
      codec: 'text',
      label: 'Note',
      optional: true,
      listed: true,
      searched: true,
      schema: z.string().trim().max(500, 'A note has at most 500 characters.').nullable(),
      defaultValue: null,
    },
    enabled: switchField('Tools read nothing there, also where an origin with * names it.'),
  },
  sorts: ['name', 'state'],
  order: 'name',
})
