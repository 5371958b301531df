import { z } from 'zod'
import { privateAddressField } from '@/lib/shape/field-shape'
import { identifierPattern, identifierRule, mostCharacters } from '@/lib/shape/identifier'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { PageAddress, SiteAddress } from './shared/site-address'

const Name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(mostCharacters, `A name has at most ${mostCharacters} characters.`)
  .regex(identifierPattern, `${identifierRule}, such as "docs".`)

const Note = z.string().trim().min(1).max(500, 'A note has at most 500 characters.')

/** Result of a check. `source`: origin of the pages; `trouble`: the failures. Each is sentences; null: none. */
export const SiteCheck = z.object({
  at: z.string(),
  pages: z.int(),
  source: z.string().nullable(),
  ms: z.int(),
  trouble: z.string().nullable(),
})
export type SiteCheck = z.output<typeof SiteCheck>

/** A site: a website whose pages tools may read. */
export const sites = resource({
  noun: 'site',
  nouns: 'sites',
  path: '/resources/sites',
  scopes: { read: 'sites:read', write: 'sites:write' },
  fields: {
    name: {
      kind: 'text',
      label: 'Name',
      hint: 'Tools are called with it. Lower-case letters and digits, such as "docs".',
      mono: true,
      schema: Name,
    },
    address: {
      kind: 'text',
      type: 'url',
      label: 'Address of the start page',
      hint: 'Such as https://example.org/docs/. All pages at or below its path belong to the site. Its host need not be listed.',
      placeholder: 'https://example.org/docs/',
      required: 'Enter the address of the start page.',
      mono: true,
      schema: SiteAddress,
    },
    sitemap: {
      kind: 'text',
      type: 'url',
      codec: 'text',
      label: 'Sitemap',
      hint: 'An address on the same host. Leave it empty for the one that robots.txt names, else /sitemap.xml or /sitemap.txt.',
      optional: true,
      mono: true,
      schema: PageAddress.nullable(),
      defaultValue: null,
    },
    crawl: {
      kind: 'checkbox',
      label: 'Follow links when there is no sitemap',
      hint: 'At most 50 pages of the site within 20 seconds, and only what its robots.txt allows.',
      schema: z.boolean(),
      defaultValue: true,
    },
    privateAddressAllowed: { ...privateAddressField, schema: z.boolean(), defaultValue: false },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      isMany: true,
      label: 'Groups that may use it',
      hint: 'Without a group, only admins may use it.',
      none: 'admins only',
      schema: z.array(z.uuid()).max(100, 'At most 100 groups.'),
      defaultValue: [],
      option: { name: 'group', help: 'groups whose members may use it (names)' },
    },
    note: {
      kind: 'text',
      codec: 'text',
      label: 'Note',
      hint: 'What it is for. Only admins see it.',
      optional: true,
      schema: Note.nullable(),
      defaultValue: null,
    },
    enabled: switchField('No tool can read its pages until it is switched on again.'),
  },
  sorts: ['name', 'address', 'state'],
  order: 'name',
  /** Null = it was not checked yet. */
  listed: { lastCheck: SiteCheck.nullable() },
  acts: { check: 'Checked what can be read' },
})
export type SiteListing = ListingOf<typeof sites>
