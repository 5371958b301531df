import { stringify } from 'yaml'
import { compareKeys } from './compare-keys'
import type { SkillFile } from './schemas'

/**
 * A SKILL.md that says the same as the parsed one, and is the same text for all that say the same: comments, quoting
 * and the order of keys in the front matter are not kept.
 */
export function skillFileText({
  frontMatter,
  body,
}: Pick<SkillFile, 'frontMatter' | 'body'>): string {
  const yaml = stringify(frontMatter, {
    version: '1.2',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    sortMapEntries: (a, b) => compareKeys(String(a.key), String(b.key)),
  })
  return `---\n${yaml}---\n${body}`
}
