import { ValidationError } from '../errors'
import { parsePlainYaml } from '../plain-yaml'
import { type FrontMatter, maxFrontMatterBytes } from './schemas'

/**
 * The front matter of a SKILL.md, at most 8 KiB of YAML that stands for plain JSON; nothing in it is ever run. Throws
 * ValidationError with one sentence.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const subject = 'The front matter'
  if (Buffer.byteLength(text) > maxFrontMatterBytes) {
    throw new ValidationError({ file: `${subject} is longer than 8 KiB.` })
  }
  // Its first line is the second of the file.
  return parsePlainYaml(text, { subject, firstLine: 2 })
}
