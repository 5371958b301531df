import { z } from 'zod'
import { ToolLimits } from '@/lib/protocol/key-limits'
import { describedNouns } from '@/lib/protocol/nouns'
import { Name } from '@/lib/shape/identifier'
import { type DetailOf, resource } from '@/lib/shape/resource'

/** A group: people, and the configurations that they may use. */
export const groups = resource({
  ...describedNouns.groups,
  about: 'groups of people and the configurations they may use',
  isPaged: true,
  fields: {
    name: { kind: 'text', label: 'Name', schema: Name },
    description: {
      kind: 'textarea',
      label: 'Purpose',
      optional: true,
      rows: 3,
      schema: z.string().trim().max(1_000, 'A description has at most 1,000 characters.'),
      defaultValue: '',
      option: { help: 'purpose of the group' },
    },
  },
  sorts: ['name', 'members', 'configurations'],
  order: 'name',
  /** The e-mail addresses of its members, and the identifiers of the configurations that they may use. */
  listed: { members: z.array(z.string()), configurations: z.array(z.string()) },
  detail: {
    /** The tools that runs of its members may use. */
    limits: ToolLimits,
    people: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        disabled: z.boolean(),
        /** Why the account is suspended; null = it is not. */
        suspendedFor: z.string().nullable(),
      }),
    ),
    opens: z.array(
      z.object({
        id: z.string(),
        identifier: z.string(),
        name: z.string(),
        enabled: z.boolean(),
      }),
    ),
  },
})

export type GroupDetail = DetailOf<typeof groups>
