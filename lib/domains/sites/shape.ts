import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import {
  adminNoteField,
  callNameField,
  groupsField,
  privateAddressField,
} from '@/lib/shape/resource-fields'
import { PageAddress, SiteAddress } from './shared/site-address'

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
  ...describedNouns.sites,
  about: 'the websites whose pages tools may read',
  fields: {
    name: callNameField('docs'),
    address: {
      kind: 'text',
      type: 'url',
      label: 'Address of the start page',
      hint: 'All pages at or below its path belong to the website.',
      placeholder: 'https://example.org/docs/',
      required: 'Enter the address of the start page.',
      listed: { head: 'Start page' },
      searched: 'address',
      mono: true,
      schema: SiteAddress,
    },
    sitemap: {
      kind: 'text',
      type: 'url',
      codec: 'text',
      label: 'Sitemap',
      hint: 'Leave empty for that of robots.txt, or /sitemap.xml. Same host.',
      optional: true,
      mono: true,
      schema: PageAddress.nullable(),
      defaultValue: null,
    },
    crawl: {
      kind: 'checkbox',
      label: 'Follow links when there is no sitemap',
      hint: 'At most 50 pages in 20 seconds, as its robots.txt allows.',
      schema: z.boolean(),
      defaultValue: true,
    },
    privateAddressAllowed: privateAddressField,
    groupIds: groupsField,
    note: adminNoteField,
    enabled: switchField('No tool can read its pages until it is switched on again.'),
  },
  sorts: ['name', 'address', 'state'],
  order: 'name',
  /** Null = it was not checked yet. */
  listed: { lastCheck: SiteCheck.nullable() },
  acts: { check: 'Checked what can be read' },
})
export type SiteListing = ListingOf<typeof sites>
