import { z } from 'zod'
import { type SkillListing, SkillSort, skillStates } from '@/lib/domains/skills/schemas'
import { lenientQuery } from '@/lib/kernel/lenient-query'

const Query = z.object({
  search: z.string().max(200).optional(),
  state: z.enum(skillStates).optional(),
  source: z.enum(['upload', 'paste', 'folder']).optional(),
  use: z.enum(['used', 'unused']).optional(),
  page: z.coerce.number().int().min(1).max(99_999).default(1),
  sort: SkillSort,
})
export type SkillFilter = Omit<z.output<typeof Query>, 'page' | 'sort'>

/** From the page's address; what makes no sense there counts as not given. */
export function readSkillFilter(
  params: Record<string, string | string[] | undefined>,
): z.output<typeof Query> {
  return lenientQuery(Query, params)
}

/** Every word of the search must be found in name, description, listed tools or what uses it. */
export function filterSkills(
  skills: readonly SkillListing[],
  { search = '', state, source, use }: SkillFilter,
): SkillListing[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return skills.filter((skill) => {
    const users = [...skill.configurations, ...skill.tasks].map(({ name }) => name)
    const texts = [skill.name, skill.description, ...(skill.allowedTools ?? []), ...users]
    const text = texts.join(' ').toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (state === undefined || skill.state === state) &&
      (source === undefined || skill.source === source) &&
      (use === undefined || users.length > 0 === (use === 'used'))
    )
  })
}
