import { z } from 'zod'
import type { ResourceField } from '../../protocol/field-shape'
import { Name } from '../../protocol/identifier'
import { sortOrder } from '../../protocol/resource'

const Description = z.string().trim().max(1_000, 'A description has at most 1,000 characters.')

/** The fields of a group. */
export const groupShape = {
  name: { kind: 'text', label: 'Name', schema: Name },
  description: {
    kind: 'textarea',
    label: 'Purpose',
    optional: true,
    rows: 3,
    schema: Description,
    defaultValue: '',
  },
} as const satisfies Record<string, ResourceField>

export const CreateGroup = z.object({
  name: groupShape.name.schema,
  description: groupShape.description.schema.default(groupShape.description.defaultValue),
})

export const UpdateGroup = z.object({
  groupId: z.string(),
  name: groupShape.name.schema.optional(),
  description: groupShape.description.schema.optional(),
})

const sortKeys = ['name', 'members', 'configurations'] as const
export type GroupSortKey = (typeof sortKeys)[number]
export const defaultGroupSort = 'name' as const

export const GroupFilter = z.object({
  search: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortOrder(sortKeys, defaultGroupSort),
})
export type GroupFilter = z.infer<typeof GroupFilter>

/** A group to pick. */
export type GroupChoice = { id: string; name: string }

/** A group to pick, with its number of members. */
export type GroupSize = GroupChoice & { members: number }

/** A group as lists show it: its members' addresses and the configurations it opens, by their identifiers. */
export type GroupListing = {
  id: string
  name: string
  description: string
  members: string[]
  configurations: string[]
}

/** A group as the console's list shows it. */
export type GroupRow = {
  id: string
  name: string
  description: string
  members: number
  configurations: number
}

export type GroupDetails = {
  id: string
  name: string
  description: string
  members: { id: string; email: string; name: string; disabled: boolean }[]
  configurations: { id: string; identifier: string; name: string; enabled: boolean }[]
}
