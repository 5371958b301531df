import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { nameField } from '@/lib/shape/identifier'
import { resource, switchField } from '@/lib/shape/resource'
import { adminNoteField, groupsField } from '@/lib/shape/resource-fields'
import { formatCount } from '@/lib/words/format'
import { mostAssetMebibytes } from './shared/asset'

const whole = z.int('Enter a whole number.')
const mostMebibytes = 1_048_576

/** A storage: a place for files (assets) that tools may find and describe. */
export const storages = resource({
  ...describedNouns.storages,
  about: 'places for files (assets) that tools may find and describe',
  fields: {
    name: nameField,
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
      hint: `1-${formatCount(mostMebibytes)}. Deleted assets count for 30 days.`,
      inputMode: 'numeric',
      schema: whole
        .min(1, 'At least 1 MiB.')
        .max(mostMebibytes, `At most ${formatCount(mostMebibytes)} MiB.`),
      defaultValue: 1_024,
    },
    groupIds: {
      ...groupsField,
      hint: 'Without a group, only admins may use it.',
    },
    note: adminNoteField,
    enabled: switchField('No tool can use it until it is switched on again.'),
  },
  sorts: ['name', 'assets', 'bytes', 'state'],
  order: 'name',
  /** The assets that are not deleted, and their bytes. */
  listed: { assets: z.int(), bytes: z.int() },
})
