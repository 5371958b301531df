import { type SkillListing, type SkillSource, skillStates } from '@/lib/skills/schemas'

const sources = ['upload', 'paste', 'folder'] as const satisfies readonly SkillSource[]
const uses = ['used', 'unused'] as const

/** Undefined = not narrowed. */
export type SkillFilter = {
  search: string | undefined
  state: (typeof skillStates)[number] | undefined
  source: SkillSource | undefined
  use: (typeof uses)[number] | undefined
}

type Params = Record<string, string | string[] | undefined>

/** From the page's address; what makes no sense there counts as not given. */
export function readSkillFilter(params: Params): SkillFilter & { page: number } {
  const { search, page } = params
  return {
    search: typeof search === 'string' && search.trim() !== '' ? search.slice(0, 200) : undefined,
    state: skillStates.find((state) => state === params.state),
    source: sources.find((source) => source === params.source),
    use: uses.find((use) => use === params.use),
    page: typeof page === 'string' && /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1,
  }
}

/** Every word of the search must be found in name, description, listed tools or a configuration that uses it. */
export function filterSkills(
  skills: readonly SkillListing[],
  { search = '', state, source, use }: SkillFilter,
): SkillListing[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return skills.filter((skill) => {
    const users = skill.configurations.map(({ name }) => name)
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
