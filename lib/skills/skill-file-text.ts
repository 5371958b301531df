import { stringify } from 'yaml'
import type { SkillFile } from './schemas'

/** A SKILL.md that says the same as the parsed one; comments and quoting of its front matter are not kept. */
export function skillFileText({
  frontMatter,
  body,
}: Pick<SkillFile, 'frontMatter' | 'body'>): string {
  const yaml = stringify(frontMatter, {
    version: '1.2',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
  return `---\n${yaml}---\n${body}`
}
