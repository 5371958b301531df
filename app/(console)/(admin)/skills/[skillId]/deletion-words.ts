import type { SkillListing } from '@/lib/domains/skills/schemas'

type Skill = Pick<SkillListing, 'configurations' | 'tasks' | 'source' | 'state'>

/** Says what deleting the skill does, or why it would be refused. */
export function deletionWords({ configurations, tasks, source, state }: Skill): string {
  const users = [
    ...configurations.map(({ name }) => name),
    ...tasks.map(({ name }) => `task ${name}`),
  ]
  if (users.length > 0) {
    const use = users.length === 1 ? 'uses' : 'use'
    return `It cannot be deleted while ${users.join(', ')} ${use} it. Remove it there first.`
  }
  if (source === 'folder' && state !== 'missing') {
    return 'It cannot be deleted while its file is in the skills folder. Remove the file and read the folder again first.'
  }
  return 'All its versions are deleted. Past runs keep the text they were sent.'
}
