import type { SkillListing } from '@/lib/domains/skills/schemas'

/** What the fields of a task can be set to. */
export type TaskChoices = {
  configurations: { id: string; name: string; identifier: string; enabled: boolean }[]
  skills: SkillListing[]
}
