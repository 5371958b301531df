import {
  type SkillListing,
  SkillSort,
  SkillSource,
  SkillState,
} from '@toolgate/server/domains/skills/schemas'
import { z } from 'zod'
import { matchesSearch } from '@/lib/words/matches-search'

/** Parses the search, filter and order in the address of the list. */
export const SkillQuery = z.object({
  search: z.string().max(200).optional(),
  state: SkillState.optional(),
  source: SkillSource.optional(),
  use: z.enum(['used', 'unused']).optional(),
  page: z.coerce.number().int().min(1).max(99_999).default(1),
  sort: SkillSort,
})
export type SkillFilter = Omit<z.output<typeof SkillQuery>, 'page' | 'sort'>

/** Returns the skills whose name, description, listed tools or users have every word of the search. */
export function filterSkills(
  skills: readonly SkillListing[],
  { search, state, source, use }: SkillFilter,
): SkillListing[] {
  return skills.filter((skill) => {
    const users = [...skill.configurations, ...skill.tasks].map(({ name }) => name)
    const texts = [skill.name, skill.description, ...(skill.allowedTools ?? []), ...users]
    return (
      matchesSearch(search, texts) &&
      (state === undefined || skill.state === state) &&
      (source === undefined || skill.source === source) &&
      (use === undefined || users.length > 0 === (use === 'used'))
    )
  })
}
