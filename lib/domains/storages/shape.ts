import { z } from 'zod'
import { nameField } from '@/lib/shape/identifier'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import { mostAssetMebibytes } from './shared/asset'

const whole = z.int('Enter a whole number.')

/** A storage: a place for files (assets) that tools may find and describe. */
export const storages = resource({
  noun: 'storage',
  nouns: 'storages',
  path: '/resources/storages',
  scopes: { read: 'storages:read', write: 'storages:write' },
  fields: {
    name: { ...nameField, hint: 'Tools are called with it.' },
    largestFile: {
      kind: 'number',
      codec: 'count',
      label: 'Largest file (MiB)',
      hint: `1-${mostAssetMebibytes}.`,
      inputMode: 'numeric',
      schema: whole
        .min(1, 'At least 1 MiB.')
        .max(mostAssetMebibytes, `At most ${mostAssetMebibytes} MiB.`),
      defaultValue: 20,
    },
    wholeSize: {
      kind: 'number',
      codec: 'count',
      label: 'All files together (MiB)',
      hint: '1-1,048,576. Deleted assets count for 30 days, as long as they can be restored.',
      inputMode: 'numeric',
      schema: whole.min(1, 'At least 1 MiB.').max(1_048_576, 'At most 1,048,576 MiB.'),
      defaultValue: 1_024,
    },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      isMany: true,
      label: 'Groups that may use it',
      hint: 'Members find and describe its assets in their runs. Without a group, only admins may use it.',
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
      schema: z.string().trim().min(1).max(500, 'A note has at most 500 characters.').nullable(),
      defaultValue: null,
    },
    enabled: switchField('No tool can use it until it is switched on again.'),
  },
  sorts: ['name', 'assets', 'bytes', 'state'],
  order: 'name',
  /** The assets that are not deleted, and their bytes. */
  listed: { assets: z.int(), bytes: z.int() },
})
export type Storage = ListingOf<typeof storages>
