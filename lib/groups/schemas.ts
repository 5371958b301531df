import { z } from 'zod'

export const CreateGroup = z.object({
  name: z.string().trim().min(1, 'Give a name.').max(100, 'A name has at most 100 characters.'),
  description: z
    .string()
    .trim()
    .max(1_000, 'A description has at most 1,000 characters.')
    .default(''),
})
export type CreateGroup = z.input<typeof CreateGroup>

/** A group as lists show it: its members' addresses and the configurations it opens, by their identifiers. */
export type GroupListing = {
  id: string
  name: string
  description: string
  members: string[]
  configurations: string[]
}
